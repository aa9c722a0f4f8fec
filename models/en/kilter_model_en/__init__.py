"""The embedded English model of Kilter: files only; Kilter reads them."""
