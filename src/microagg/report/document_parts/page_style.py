"""Style sheet of a document: on screens of any width, and on A4 paper."""

from microagg.report.charts.svg import AFTER, BEFORE, INK

STYLE = f"""
:root{{color-scheme:light}}
*{{box-sizing:border-box}}
body{{margin:0 auto;padding:0 1.5rem 2rem;max-width:62rem;background:#fff;color:{INK};
font:16px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",Arial,sans-serif;overflow-wrap:anywhere}}
h1{{font-size:1.9rem;line-height:1.2;margin:1.2rem 0 .4rem}}
h2{{font-size:1.35rem;line-height:1.3;margin:2.2rem 0 .6rem;padding-bottom:.2rem;border-bottom:2px solid {INK}}}
h3{{font-size:1.05rem;line-height:1.3;margin:1.2rem 0 .4rem}}
p{{margin:.4rem 0 .7rem}}
a{{color:#0a4d8c}}
nav ul{{columns:3 14rem;margin:.3rem 0;padding-left:1.2rem}}
.banner{{margin:0 -1.5rem;padding:.5rem 1.5rem;background:{INK};color:#fff}}
.banner p{{margin:0}}
.notice{{margin:.7rem 0;padding:.5rem .9rem;border:2px solid;border-left-width:.5rem;break-inside:avoid}}
.notice p{{margin:.2rem 0}}
.good{{background:#eaf5ec;border-color:#1f6b35}}
.bad{{background:#fdeceb;border-color:#a31515}}
.warning{{background:#fff4e3;border-color:#a34e00}}
.good strong{{color:#14512a}}.bad strong{{color:#8f1010}}.warning strong{{color:#7a3a00}}
table{{border-collapse:collapse;width:100%;margin:.8rem 0 1.2rem;font-size:.875rem;line-height:1.35}}
caption{{text-align:left;font-weight:600;padding:.2rem 0 .4rem}}
th,td{{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #c9d0d8}}
thead th{{border-bottom:2px solid {INK};vertical-align:bottom}}
tbody th{{font-weight:600}}
tbody th{{min-width:6.5rem}}
tbody th.w{{width:32%}}
th,td{{overflow-wrap:normal}}
.w{{overflow-wrap:anywhere}}
.n{{text-align:right;font-variant-numeric:tabular-nums}}
tbody .n{{white-space:nowrap}}
th.n:first-child{{text-align:left}}
.named th{{width:12rem;font-weight:400;color:#3d4956}}
.pass{{color:#14512a;font-weight:600}}.fail{{color:#8f1010;font-weight:700}}
pre{{margin:.4rem 0 1rem;padding:.6rem .8rem;background:#f3f5f7;border:1px solid #c9d0d8;white-space:pre-wrap;
font:.8rem/1.45 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}}
code{{font:.8rem/1.4 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}}
figure{{margin:0 0 1.4rem;break-inside:avoid}}
figcaption h3{{margin:.8rem 0 .2rem}}
.pair{{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:flex-start}}
.chart{{flex:1 1 26rem;min-width:0;max-width:36rem}}
.wide{{max-width:none}}
.pair table{{flex:1 1 15rem;width:auto;margin:0;font-size:.8rem;line-height:1.25}}
.pair caption{{position:absolute;width:1px;height:1px;padding:0;overflow:hidden;clip-path:inset(50%)}}
.pair th,.pair td{{padding:.12rem .6rem .12rem 0}}
svg{{display:block;width:100%;height:auto}}
.legend{{display:flex;gap:1.5rem}}
.swatch{{display:inline-block;width:1.4rem;height:.75rem;margin-right:.4rem;background:{BEFORE}}}
.line{{height:0;border-top:.2rem solid {AFTER};background:none;vertical-align:middle}}
.glossary{{columns:2 20rem;column-gap:2rem;margin:.4rem 0}}
.glossary div{{break-inside:avoid}}
dt{{font-weight:600}}
dd{{margin:0 0 .5rem}}
.signature{{break-inside:avoid}}
.signature dl{{display:grid;grid-template-columns:12rem 1fr;margin-top:1rem}}
.signature dt,.signature dd{{margin:0;padding-top:2.2rem}}
.signature dd{{border-bottom:1px solid {INK}}}
footer{{margin-top:2.5rem;padding-top:.4rem;border-top:1px solid #c9d0d8;font-size:.8rem;color:#3d4956}}
@page{{size:A4;margin:16mm 15mm 18mm;@bottom-right{{content:counter(page) " / " counter(pages);font:9pt sans-serif}}}}
@media print{{
html{{font-size:12.5px}}
body{{max-width:none;padding:0;font-size:1rem}}
.chart{{flex-basis:24rem}}
.banner{{margin:0;-webkit-print-color-adjust:exact;print-color-adjust:exact}}
.notice,svg,.swatch{{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
nav{{display:none}}
a{{color:inherit;text-decoration:none}}
h2,h2+p,h3,caption,thead,figcaption{{break-after:avoid}}
tr,pre,p{{break-inside:avoid}}
thead{{display:table-header-group}}
}}
"""
