package audit

// AppendLine lets tests forge records with a right checksum.
var AppendLine = appendLine
