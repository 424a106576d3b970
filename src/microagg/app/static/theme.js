// Puts on the theme that was chosen before, before anything is drawn.
{
  const chosen = localStorage.getItem("microagg-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
