"""Files of Stata, SPSS and SAS: read by pyreadstat, and written back with everything that is not replaced as it was."""
