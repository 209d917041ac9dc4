import Testing

@testable import DaemonApp
