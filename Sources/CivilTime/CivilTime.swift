// CivilTime
