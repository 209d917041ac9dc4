import CivilTime
import ICalendar

/// Reads calendar files with libical.
///
/// The steps are: decode the parts of a mail and the bytes, repair what libical refuses, unfold the lines, put the lines into
/// components, read the parameters, and compute the offsets of each VTIMEZONE. Values stay as they
/// are in the file, except texts: the reader decodes quoted-printable texts and HTML.
public enum CalendarReader {
  /// The maximum number of VTIMEZONEs whose offsets are computed.
  private static let mostZones = 200

  /// Makes libical load its data. A program must call this function before it enters the sandbox.
  public static func prepare() { LibicalOffsets.prepare() }

  /// Reads a file.
  ///
  /// - Parameter now: the present instant. The offsets of a VTIMEZONE are computed for one year
  ///   before this instant, and ten years after it.
  public static func tree(_ bytes: [UInt8], now: Instant) -> ICalendarTree {
    let lines = Unfolding.unfolded(PhysicalLines(MailPart.decoded(bytes)).lines)
    let structure = StructureRepair(lines)
    var repair = PropertyRepair(notes: structure.notes)
    var zones = 0
    let components = structure.components.map { component in
      let component = repair.repaired(component)
      // libical reads each inner component in a separate call, so it needs little memory. The first
      // call reads the component without its inner components.
      var shell = component
      shell.components = []
      var parsed = LibicalComponents.read(shell)
      for inner in component.components {
        var child = LibicalComponents.read(inner)
        if inner.name == "VTIMEZONE", zones < mostZones {
          zones += 1
          child.offsets = LibicalOffsets.offsets(of: inner, around: now)
        }
        parsed.components.append(child)
      }
      return parsed
    }
    return ICalendarTree(components: components, notes: repair.notes.all)
  }
}
