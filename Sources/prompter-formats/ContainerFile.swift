import CAV
import SoundProcessing

/// An upload that the libraries of FFmpeg decode from memory.
enum ContainerFile {
  /// The maximum share of damaged packets in a sound, from 0 to 1. `decode` permits one damaged
  /// packet more than this share. If more packets are damaged, `decode` refuses the upload.
  private static let mostDamaged = 0.02

  /// Decodes the sound of the whole upload. The function ignores a video or a picture in the file.
  ///
  /// - Throws: `SoundRefusal` if the upload is damaged, incomplete or too long, or if the program
  ///   does not read the format of the upload.
  static func decode(_ upload: [UInt8]) throws(SoundRefusal) -> Recording {
    guard let found = UploadFormat.find(in: upload), case .container(let container) = found.format
    else { throw .notAudio("this file is not a sound file that Prompter reads") }
    let bytes = found.start == 0 ? upload : Array(upload[found.start...])
    let end = FileEnd(of: bytes, container)
    let demuxer: Demuxer
    do {
      demuxer = try Demuxer(bytes, container)
    } catch {
      // If the end of a file is missing, the index of the file is often missing too, and
      // libavformat cannot open the file. In this case, the refusal says that the end is missing.
      try end.refuse(seconds: nil)
      throw error
    }
    let decoder = try StreamDecoder(demuxer, name: container.name)
    var packets = 0
    while let packet = demuxer.nextPacket() {
      packets += 1
      try decoder.decode(packet)
    }
    try decoder.drain()
    let seconds = decoder.seconds
    try end.refuse(seconds: seconds)
    if let declared = demuxer.declaredSeconds, container.declaresLength, declared > 0.5 {
      // Encoders add up to 0.1 s of silence at each end of the sound, and decoders remove this
      // silence again. Therefore add 0.2 s to the decoded length.
      try SoundRefusal.refuseIncomplete(share: (seconds + 0.2) / declared)
    }
    if Double(decoder.damagedPackets) > mostDamaged * Double(packets) + 1 {
      throw .decoderFailed(
        "the file is damaged: \(decoder.damagedPackets) of \(packets) parts of its sound cannot be "
          + "read")
    }
    return try decoder.finish()
  }
}

extension SoundContainer {
  /// True if the files of this format contain the length of their sound. If not, libavformat only
  /// guesses the length.
  fileprivate var declaresLength: Bool {
    switch self {
    case .m4a, .mp4, .quickTime, .threeGP, .caf, .wave64, .aiff, .webm, .matroska: true
    case .adts, .amr, .asf, .au, .ogg, .codedWAV: false
    }
  }
}
