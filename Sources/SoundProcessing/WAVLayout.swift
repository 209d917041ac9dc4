/// The places of the format and of the samples in a WAV file (RIFF, RF64 or BW64).
///
/// The headers contain wrong sizes if the recorder lost its power, or if the recorder wrote to a
/// pipe.
package struct WAVLayout {
  /// The codings that libsndfile reads: PCM, ADPCM, floating point, A-law, µ-law, IMA ADPCM, GSM.
  static let knownCodings: Set<Int> = [1, 2, 3, 6, 7, 0x11, 0x31]
  /// The sizes that mean "unknown". If a program does not know the size yet, the program writes a
  /// value of nearly 2 GiB or nearly 4 GiB.
  private static let unknownSizes = 0x7000_0000...
  /// The maximum number of bytes that may follow the samples and do not begin with a chunk. If
  /// more such bytes follow, the header of the samples contains a wrong size.
  private static let mostUncovered = 65_536

  /// The number of the coding, for example 1 for PCM.
  package private(set) var coding = 0
  private var format = 0..<0
  private var samples = 0..<0
  /// The size of the samples according to the header, in bytes; nil if the header does not state
  /// the size.
  private var declaredSize: Int?

  /// Reads the chunks. The result is nil if the format or the samples are missing.
  package init?(_ upload: [UInt8], from start: Int) {
    var at = start + 12
    var longSize: Int?
    while at + 8 <= upload.count {
      let size = upload.number(at + 4, 4) ?? 0
      if upload.hasTag("ds64", at: at) { longSize = upload.longNumber(at + 16) }
      if upload.hasTag("fmt ", at: at), at + 8 + size <= upload.count, size >= 16 {
        format = at + 8..<at + 8 + size
        coding = upload.number(at + 8, 2) ?? 0
        // The number 0xfffe means WAVE_FORMAT_EXTENSIBLE. In this format, the real number of the
        // coding is in the first two bytes of the subformat.
        if coding == 0xfffe, size >= 26 { coding = upload.number(at + 32, 2) ?? 0 }
      }
      if upload.hasTag("data", at: at) {
        let isLong = size == 0xffff_ffff && upload.hasTag("64", at: start + 2)
        setSamples(upload, from: at + 8, size: isLong ? longSize ?? size : size)
        break
      }
      let end = at + 8 + size
      // A padding byte should follow a chunk with an odd size, but some programs write no padding
      // byte. Therefore find out whether the next chunk begins with or without a padding byte
      // before it.
      at =
        size % 2 == 1 && !Self.isChunk(upload, end + 1) && Self.isChunk(upload, end)
        ? end : end + size % 2
    }
    if format.isEmpty || samples.lowerBound == 0 { return nil }
  }

  private mutating func setSamples(_ upload: [UInt8], from begin: Int, size: Int) {
    let present = upload.count - begin
    let isUnknown = Self.unknownSizes.contains(size)
    if size > 0, size <= present {
      let end = begin + size
      let rest = upload.count - end
      let isWrong =
        rest > Self.mostUncovered && !Self.isChunk(upload, end) && !Self.isChunk(upload, end + 1)
      samples = begin..<(isWrong ? Self.endOfSamples(upload, begin) : end)
      declaredSize = isWrong ? nil : size
    } else if size == 0 || isUnknown {
      samples = begin..<Self.endOfSamples(upload, begin)
    } else {
      samples = begin..<upload.count
      declaredSize = size
    }
  }

  /// Finds the end of the samples if the header gives a wrong size or no size. The samples end
  /// where the later chunks begin: chunks without samples that follow one another to the end of the
  /// file. If there are no such chunks, the samples end at the end of the file.
  private static func endOfSamples(_ upload: [UInt8], _ begin: Int) -> Int {
    let names = Set(laterChunks.map { Array($0.utf8) })
    var firsts = [Bool](repeating: false, count: 256)
    for name in names { firsts[Int(name[0])] = true }
    for at in begin..<max(begin, upload.count - 7) where firsts[Int(upload[at])] {
      if names.contains(Array(upload[at..<at + 4])), isChainToEnd(upload, at) { return at }
    }
    return upload.count
  }

  /// The names of the chunks that programs write after the samples.
  private static let laterChunks = [
    "LIST", "id3 ", "ID3 ", "bext", "iXML", "fact", "cue ", "PEAK", "smpl", "inst", "JUNK", "junk",
    "FLLR", "PAD ", "DISP", "_PMX", "axml", "afsp", "cart", "acid", "strc", "umid", "levl", "MD5 ",
    "plst", "note", "labl", "minf", "elm1", "regn", "LGWV", "SAUR", "Fake", "chna",
  ]

  private static func isChainToEnd(_ upload: [UInt8], _ start: Int) -> Bool {
    var at = start
    while at + 8 <= upload.count, isChunk(upload, at) {
      let size = upload.number(at + 4, 4) ?? 0
      at += 8 + size + size % 2
    }
    // The padding byte of the last chunk can be missing.
    return at == upload.count || at == upload.count + 1
  }

  /// Returns true if a chunk can begin at the index `at`. The name of a chunk consists of four
  /// printable characters.
  private static func isChunk(_ upload: [UInt8], _ at: Int) -> Bool {
    at >= 0 && at + 8 <= upload.count && upload[at..<at + 4].allSatisfy { 0x20...0x7e ~= $0 }
  }

  /// The size of the samples in the file, divided by the size of all samples according to the
  /// header: 0 … 1.
  package var presentShare: Double {
    guard let declaredSize, declaredSize > 0 else { return 1 }
    return min(1, Double(samples.count) / Double(declaredSize))
  }

  /// Returns a WAV file with the same samples, with correct sizes, and with only the two necessary
  /// chunks.
  package func repaired(_ upload: [UInt8]) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let block = max(1, upload.number(format.lowerBound + 12, 2) ?? 1)
    let size = samples.count / block * block
    var file: [UInt8] = []
    file.reserveCapacity(size + format.count + 32)
    file += "RIFF".utf8
    file += little(20 + format.count + format.count % 2 + size + size % 2)
    file += "WAVEfmt ".utf8
    file += little(format.count)
    file += upload[format]
    if format.count % 2 == 1 { file.append(0) }
    file += "data".utf8
    file += little(size)
    file += upload[samples.lowerBound..<samples.lowerBound + size]
    if size % 2 == 1 { file.append(0) }
    return file
  }
}
