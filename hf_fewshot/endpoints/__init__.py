"""Language models behind servers: how they are reached, asked, waited for and understood."""
