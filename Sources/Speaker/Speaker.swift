// Speaker
