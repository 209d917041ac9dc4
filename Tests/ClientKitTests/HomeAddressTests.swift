import Testing

@testable import ClientKit
