"""What is shipped and what is needed beside it: licences and a bill of materials."""
