"""Tables of papers, on laptops and on sample data as YAML files, one for each table: data of the package."""
