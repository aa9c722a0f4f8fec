"""Where answers live: tables, migrations, and every question that pages and commands ask of them."""
