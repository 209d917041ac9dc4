// Logbook
