import CAV
import SoundProcessing

/// Decodes the packets of one stream into a recording.
final class StreamDecoder {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  private let isFloat: Bool
  private let format: String
  private var converter: OpaquePointer?
  /// The sample format of the frames that the present converter reads.
  private var sampleFormat = AV_SAMPLE_FMT_NONE
  private var collector: RecordingCollector?
  /// The sound before the newest change of the sample rate or of the number of channels. The value
  /// is nil if the sample rate and the number of channels have not changed in this stream.
  private var finished: Recording?
  private var output: [Float] = []
  private(set) var damagedPackets = 0

  /// - Parameter name: the name of the container.
  init(_ demuxer: Demuxer, name: String) throws(SoundRefusal) {
    let unreadable = SoundRefusal.notAudio(
      "this file seems to be \(name) but cannot be read; it may be damaged or incomplete")
    var opened = avcodec_alloc_context3(demuxer.codec.decoder)
    guard let context = opened, var frame = Optional(av_frame_alloc()) else {
      throw .decoderFailed("the decoder has too little memory")
    }
    context.pointee.thread_count = 1
    context.pointee.pkt_timebase = demuxer.stream.pointee.time_base
    guard avcodec_parameters_to_context(context, demuxer.stream.pointee.codecpar) >= 0,
      avcodec_open2(context, demuxer.codec.decoder, nil) >= 0, let made = frame
    else {
      avcodec_free_context(&opened)
      av_frame_free(&frame)
      throw unreadable
    }
    self.context = context
    self.frame = made
    isFloat = demuxer.codec.isFloat
    format = name
  }

  deinit {
    var (context, frame) = (Optional(context), Optional(frame))
    avcodec_free_context(&context)
    av_frame_free(&frame)
    swr_free(&converter)
  }

  /// The length of the sound that is decoded so far, in seconds.
  var seconds: Double { (finished?.seconds ?? 0) + (collector?.seconds ?? 0) }

  func decode(_ packet: UnsafeMutablePointer<AVPacket>) throws(SoundRefusal) {
    if isPause(packet) {
      let rate = context.pointee.codec_id == AV_CODEC_ID_AMR_WB ? 16_000 : 8_000
      try prepareCollector(rate: rate, channels: 1)
      try add([Float](repeating: 0, count: rate / 50)[...])
      return
    }
    // If this packet is damaged, count it, and continue with the next packet.
    let code = avcodec_send_packet(context, packet)
    let received = try receive()
    if code < 0 || !received { damagedPackets += 1 }
  }

  /// Returns true if an AMR packet represents 20 ms without speech.
  ///
  /// Telephones write such packets while nobody speaks. Such a packet contains either a description
  /// of the background noise (SID) or no sound data. The decoders of FFmpeg report these packets as
  /// damaged. The first byte of a packet contains its type (3GPP TS 26.101 and TS 26.201, annex A;
  /// RFC 4867 section 5.3).
  private func isPause(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    guard packet.pointee.size > 0, let first = packet.pointee.data?.pointee else { return false }
    let type = first >> 3 & 0x0f
    switch context.pointee.codec_id {
    case AV_CODEC_ID_AMR_NB: return type >= 8
    case AV_CODEC_ID_AMR_WB: return type >= 9
    default: return false
    }
  }

  func drain() throws(SoundRefusal) {
    _ = avcodec_send_packet(context, nil)
    _ = try receive()
  }

  /// Ends the last part of the sound, and returns the complete recording.
  func finish() throws(SoundRefusal) -> Recording {
    try endPart()
    defer { finished = nil }
    guard let finished else { throw .tooShort(seconds: 0) }
    return finished
  }

  /// Collects all frames that the decoder has ready. Returns false if the decoder reports damage.
  private func receive() throws(SoundRefusal) -> Bool {
    while true {
      let code = avcodec_receive_frame(context, frame)
      if code == prompter_av_again() || code == prompter_av_end() { return true }
      if code < 0 { return false }
      try collect()
      av_frame_unref(frame)
    }
  }

  private func collect() throws(SoundRefusal) {
    let rate = Int(frame.pointee.sample_rate)
    let channels = Int(frame.pointee.ch_layout.nb_channels)
    let found = AVSampleFormat(frame.pointee.format)
    try prepareCollector(rate: rate, channels: channels)
    if sampleFormat != found { try makeConverter(found, rate: rate, channels: channels) }
    let samples = frame.pointee.nb_samples
    let room = swr_get_out_samples(converter, samples)
    guard room >= 0 else { throw Self.unconvertible }
    let needed = Int(room) * channels
    if output.count < needed { output = [Float](repeating: 0, count: needed) }
    let made = output.withUnsafeMutableBytes { output -> Int32 in
      var target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      // `extended_data` contains a pointer to the samples of each channel. `swr_convert` needs the
      // same pointers as pointers to constant bytes.
      return UnsafeMutableRawPointer(frame.pointee.extended_data).withMemoryRebound(
        to: UnsafePointer<UInt8>?.self, capacity: channels
      ) { swr_convert(converter, &target, room, $0, samples) }
    }
    guard made >= 0 else { throw Self.unconvertible }
    try add(output[..<(Int(made) * channels)])
  }

  /// Starts a new part of the sound if the sample rate or the number of channels changes.
  private func prepareCollector(rate: Int, channels: Int) throws(SoundRefusal) {
    if let collector, collector.rate != rate || collector.channels != channels { try endPart() }
    if collector != nil { return }
    collector = try RecordingCollector(
      rate: rate, channels: channels, isFloat: isFloat, isFirst: finished == nil)
    sampleFormat = AV_SAMPLE_FMT_NONE
  }

  private func add(_ samples: ArraySlice<Float>) throws(SoundRefusal) {
    var refusal: SoundRefusal?
    samples.withUnsafeBufferPointer { samples in
      do throws(SoundRefusal) { try collector?.add(samples) } catch { refusal = error }
    }
    if let refusal { throw refusal }
  }

  private static let unconvertible = SoundRefusal.decoderFailed("cannot convert the samples")

  /// Makes the converter. The converter changes the samples to interleaved floating-point samples,
  /// and keeps the sample rate and the number of channels.
  private func makeConverter(
    _ found: AVSampleFormat, rate: Int, channels: Int
  ) throws(SoundRefusal) {
    var (input, output) = (AVChannelLayout(), AVChannelLayout())
    av_channel_layout_default(&input, Int32(channels))
    av_channel_layout_default(&output, Int32(channels))
    defer {
      av_channel_layout_uninit(&input)
      av_channel_layout_uninit(&output)
    }
    swr_free(&converter)
    let hertz = Int32(rate)
    let code = swr_alloc_set_opts2(
      &converter, &output, AV_SAMPLE_FMT_FLT, hertz, &input, found, hertz, 0, nil)
    guard code >= 0, swr_init(converter) >= 0 else { throw Self.unconvertible }
    sampleFormat = found
  }

  private func endPart() throws(SoundRefusal) {
    // Call `finish` on the stored property, because a local variable would copy the large arrays of
    // the collector.
    guard let recording = try collector?.finish(format: format) else { return }
    collector = nil
    if finished == nil { finished = recording } else { try finished?.append(recording) }
  }
}
