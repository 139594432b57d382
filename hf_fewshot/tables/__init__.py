"""Records side by side: settings, tables and overviews, as Markdown too."""
