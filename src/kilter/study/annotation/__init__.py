"""What commands of the annotation of links do."""
