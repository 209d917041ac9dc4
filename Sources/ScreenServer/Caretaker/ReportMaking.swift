import API
import CaretakerPages
import Report
import Synchronization

/// Makes a report from an export of the daemon, in the same way as `prompter report`.
extension CaretakerClient {
  /// The files of the export, or the reason why the export cannot be read.
  private struct Reading {
    var export = ArchivedExport()
    var trouble: ExportReadError?
  }

  package func report(
    _ asked: ReportRequest
  ) throws(HomeTrouble) -> Result<[UInt8], HomeRefusal> {
    let reading = Mutex(Reading())
    do {
      let refusal = try download(
        HomeRequest(.export, query: ["profile": asked.profile, "layout": "frictionless"]),
        begin: {},
        take: { bytes in
          try reading.withLock { reading in
            do throws(ExportReadError) {
              try reading.export.read(bytes)
            } catch {
              reading.trouble = error
              throw error
            }
          }
        })
      if let refusal { return .failure(refusal) }
    } catch {
      if let trouble = reading.withLock({ $0.trouble }) { throw .unreachable("\(trouble)") }
      throw .unreachable("cannot get the export: \(error)")
    }
    let export = reading.withLock { $0.export }
    do throws(ExportReadError) {
      var (study, source) = try export.finish()
      do throws(StudyChoiceError) {
        try study.select(asked.study.map { .study($0) } ?? .everybody)
      } catch {
        return .failure(
          HomeRefusal(
            status: 422, kind: "unknown_study", field: "report_study",
            detail: "cannot report: \(error)"))
      }
      return .success(Self.bytes(asked.file, study, source))
    } catch {
      throw .unreachable("\(error)")
    }
  }

  private static func bytes(
    _ file: ReportRequest.File, _ study: Study, _ source: String
  ) -> [UInt8] {
    let text =
      switch file {
      case .page:
        ReportPage(
          study, summary: study.summary, estimates: study.estimates,
          source: ExportSource.introduction(source, study)
        ).html
      case .summary: study.summary.csv()
      case .estimates: study.estimates.csv()
      }
    return Array(text.utf8)
  }
}
