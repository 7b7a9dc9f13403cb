"""vnestruct."""
