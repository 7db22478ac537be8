"""What the server adds to Streamlit's: the headers of its answers, and the address that says whether it is well."""
