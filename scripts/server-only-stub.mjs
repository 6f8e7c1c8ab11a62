// Stands in for the package 'server-only' in unit tests, where there is no client bundle to guard.
export {}
