"""Drawing: where nodes go, which of them a picture shows, in which colours; for roles and for pages."""
