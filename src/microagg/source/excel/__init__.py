"""Excel workbooks: one sheet is read, and a workbook of one sheet is written."""
