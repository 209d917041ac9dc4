import CivilTime
import ICalendar

/// Reads calendar files with libical.
///
/// The steps are: decode the parts of a mail and the bytes, repair lines that libical would refuse,
/// unfold the lines, put the lines into components, read the parameters, and compute the offsets of
/// each VTIMEZONE. The reader decodes texts in quoted-printable and in HTML. `PropertyRepair` lists
/// the other values that the reader changes.
public enum CalendarReader {
  /// The maximum number of VTIMEZONEs in a file for which the reader computes offsets.
  private static let mostZones = 200

  /// Makes libical load its data. A program must call this function before it enters the sandbox.
  public static func prepare() { LibicalOffsets.prepare() }

  /// Reads a file.
  ///
  /// - Parameter now: the present instant. For each VTIMEZONE, the function computes the offsets
  ///   from one year before this instant to ten years after this instant.
  public static func tree(_ bytes: [UInt8], now: Instant) -> ICalendarTree {
    let lines = Unfolding.unfolded(PhysicalLines(MailPart.decoded(bytes)).lines)
    let structure = StructureRepair(lines)
    var repair = PropertyRepair(notes: structure.notes)
    var zones = 0
    let components = structure.components.map { component in
      let component = repair.repaired(component)
      // This code passes each inner component to libical in a separate call, so libical needs
      // little memory. The first call reads the component without its inner components.
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
