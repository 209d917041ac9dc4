extension SeededGenerator {
  /// Changes, removes or inserts bytes at one to eight places of a file, and returns the bytes.
  ///
  /// - Parameter pieces: the characters that the function can insert.
  package mutating func damaged(_ file: String, inserting pieces: String) -> [UInt8] {
    var bytes = Array(file.utf8)
    for _ in 0..<Int.random(in: 1...8, using: &self) {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0...3, using: &self) {
      case 0: bytes[place] = .random(in: 0...255, using: &self)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(contentsOf: Array(pieces.utf8).shuffled(using: &self), at: place)
      default: bytes.removeSubrange(place..<min(place + 12, bytes.count))
      }
      if bytes.isEmpty { bytes = [0x0A] }
    }
    return bytes
  }
}
