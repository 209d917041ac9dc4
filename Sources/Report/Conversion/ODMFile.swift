import StudyExport

/// A file of the CDISC Operational Data Model, version 1.3.2. The file contains the metadata and
/// the data of an export.
///
/// In this model, a study has events. The study in the file has one event, `SE.record`. Each table
/// of the export is one form with one repeating item group. Each row of the table is one item
/// group. The key of an item group is the number of the row: the first row of the person in this
/// table has the number 1.
///
/// The metadata contain the maximum length of each item. The program knows this length only after
/// the last row. Therefore all data stay in memory until the end. The data in memory are about 20
/// times as large as the converted tables.
public struct ODMFile: Sendable {
  /// The source of the file.
  public struct Source: Sendable {
    /// The name of the study, or of the export.
    var study: String
    /// The SHA-256 of the file MANIFEST.json of the export. This SHA-256 identifies the ODM file.
    var manifestSHA256: String
    /// The version of the program.
    var version: String
    /// The time at which the program makes the file: RFC 3339, UTC.
    var madeAt: String

    public init(study: String, manifestSHA256: String, version: String, madeAt: String) {
      self.study = study
      self.manifestSHA256 = manifestSHA256
      self.version = version
      self.madeAt = madeAt
    }
  }

  /// The rows of one table about one person, as XML.
  private struct Groups {
    var count = 0
    var xml: [UInt8] = []
  }

  private static let event = "SE.record"
  private static let version = "MDV.1"

  private let tables: [ConvertedTable]
  /// The rows of each person. The first key is the person, and the second key is the name of the
  /// table.
  private var people: [String: [String: Groups]] = [:]
  /// For each item, the length of the longest value, and the largest number of digits after the
  /// decimal point.
  private var lengths: [String: (length: Int, decimals: Int)] = [:]

  public init(_ tables: [ConvertedTable]) { self.tables = tables }

  /// Adds one row of a table.
  public mutating func add(_ line: CSVTableReader.Line, of table: ConvertedTable) {
    let person = ConvertedTable.subject(of: line)
    var groups = people[person]?[table.name] ?? Groups()
    people[person]?[table.name] = nil
    groups.count += 1
    var xml =
      "<ItemGroupData ItemGroupOID=\"\(Self.group(table))\" ItemGroupRepeatKey=\"\(groups.count)\">\n"
    for field in table.fields {
      guard let value = ConvertedTable.value(field, line) else { continue }
      let item = Self.item(field, table)
      note(value, of: item)
      xml += "<ItemData ItemOID=\"\(item)\" Value=\"\(Self.escaped(value))\"/>\n"
    }
    groups.xml += Array((xml + "</ItemGroupData>\n").utf8)
    people[person, default: [:]][table.name] = groups
  }

  private mutating func note(_ value: String, of item: String) {
    let decimals = value.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0
    let known = lengths[item] ?? (0, 0)
    lengths[item] = (max(known.length, value.count), max(known.decimals, decimals))
  }

  /// The whole file.
  public func bytes(_ source: Source) -> [UInt8] {
    let study = "ST.\(Self.escaped(source.study))"
    var file = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" ODMVersion="1.3.2" FileType="Snapshot" \
      FileOID="prompter.\(source.manifestSHA256)" CreationDateTime="\(source.madeAt)" \
      SourceSystem="Prompter" SourceSystemVersion="\(Self.escaped(source.version))">
      <Study OID="\(study)">
      \(globals(source))\(units)\(metadata)</Study>
      <ClinicalData StudyOID="\(study)" MetaDataVersionOID="\(Self.version)">

      """.utf8)
    for (person, rows) in people.sorted(by: { $0.key < $1.key }) {
      file += "<SubjectData SubjectKey=\"\(Self.escaped(person))\">\n".utf8
      file += "<StudyEventData StudyEventOID=\"\(Self.event)\">\n".utf8
      for table in tables {
        guard let groups = rows[table.name] else { continue }
        file += "<FormData FormOID=\"\(Self.form(table))\">\n".utf8
        file += groups.xml
        file += "</FormData>\n".utf8
      }
      file += "</StudyEventData>\n</SubjectData>\n".utf8
    }
    return file + Array("</ClinicalData>\n</ODM>\n".utf8)
  }

  // MARK: Metadata

  private func globals(_ source: Source) -> String {
    let name = Self.escaped(source.study)
    return """
      <GlobalVariables>
      <StudyName>\(name)</StudyName>
      <StudyDescription>Reminders and alarms of Prompter, and the answers of people</StudyDescription>
      <ProtocolName>\(name)</ProtocolName>
      </GlobalVariables>

      """
  }

  private var units: String {
    let names = Set(tables.flatMap { $0.fields.compactMap(\.unit) }).sorted()
    if names.isEmpty { return "" }
    let list = names.map { unit in
      "<MeasurementUnit OID=\"MU.\(unit)\" Name=\"\(unit)\"><Symbol>\(Self.translated(unit))</Symbol></MeasurementUnit>\n"
    }
    return "<BasicDefinitions>\n\(list.joined())</BasicDefinitions>\n"
  }

  private var metadata: String {
    let forms = tables.enumerated().map { index, table in
      "<FormRef FormOID=\"\(Self.form(table))\" OrderNumber=\"\(index + 1)\" Mandatory=\"No\"/>\n"
    }
    return """
      <MetaDataVersion OID="\(Self.version)" Name="Tables of an export">
      <Protocol><StudyEventRef StudyEventOID="\(Self.event)" OrderNumber="1" Mandatory="No"/></Protocol>
      <StudyEventDef OID="\(Self.event)" Name="Record" Repeating="No" Type="Common">
      \(forms.joined())</StudyEventDef>
      \(tables.map(Self.formDefinition).joined())\
      \(tables.map(Self.groupDefinition).joined())\
      \(tables.map(itemDefinitions).joined())\
      \(tables.map(Self.codeLists).joined())</MetaDataVersion>

      """
  }

  private static func formDefinition(_ table: ConvertedTable) -> String {
    """
    <FormDef OID="\(form(table))" Name="\(escaped(table.title))" Repeating="No">
    <ItemGroupRef ItemGroupOID="\(group(table))" OrderNumber="1" Mandatory="No"/>
    </FormDef>

    """
  }

  private static func groupDefinition(_ table: ConvertedTable) -> String {
    let items = table.fields.enumerated().map { index, field in
      "<ItemRef ItemOID=\"\(item(field, table))\" OrderNumber=\"\(index + 1)\" "
        + "Mandatory=\"\(field.isRequired ? "Yes" : "No")\"/>\n"
    }
    return """
      <ItemGroupDef OID="\(group(table))" Name="\(table.name)" Repeating="Yes">
      <Description>\(translated(table.title))</Description>
      \(items.joined())</ItemGroupDef>

      """
  }

  private func itemDefinitions(_ table: ConvertedTable) -> String {
    table.fields.map { field in
      let item = Self.item(field, table)
      var more = ""
      let size = lengths[item] ?? (1, 0)
      switch field.kind {
      case .string, .integer: more = " Length=\"\(max(1, size.length))\""
      case .number:
        more = " Length=\"\(max(1, size.length))\" SignificantDigits=\"\(size.decimals)\""
      case .boolean, .datetime, .date, .time: break
      }
      let unit =
        field.unit.map { "<MeasurementUnitRef MeasurementUnitOID=\"MU.\($0)\"/>\n" } ?? ""
      let list =
        field.choices.isEmpty
        ? "" : "<CodeListRef CodeListOID=\"\(Self.codeList(field, table))\"/>\n"
      return """
        <ItemDef OID="\(item)" Name="\(field.name)" DataType="\(Self.dataType(field.kind))"\(more)>
        <Description>\(Self.translated(field.meaning))</Description>
        \(unit)\(list)</ItemDef>

        """
    }.joined()
  }

  private static func codeLists(_ table: ConvertedTable) -> String {
    table.fields.filter { !$0.choices.isEmpty }.map { field in
      let items = field.choices.map { "<EnumeratedItem CodedValue=\"\(escaped($0))\"/>\n" }
      return """
        <CodeList OID="\(codeList(field, table))" Name="\(table.name).\(field.name)" DataType="text">
        \(items.joined())</CodeList>

        """
    }.joined()
  }

  private static func dataType(_ kind: ConvertedTable.Field.Kind) -> String {
    switch kind {
    case .string: "text"
    case .number: "float"
    case .integer, .boolean, .datetime, .date, .time: kind.rawValue
    }
  }

  private static func form(_ table: ConvertedTable) -> String { "F.\(table.name)" }
  private static func group(_ table: ConvertedTable) -> String { "IG.\(table.name)" }
  private static func item(_ field: ConvertedTable.Field, _ table: ConvertedTable) -> String {
    "IT.\(table.name).\(field.name)"
  }
  private static func codeList(_ field: ConvertedTable.Field, _ table: ConvertedTable) -> String {
    "CL.\(table.name).\(field.name)"
  }

  private static func translated(_ text: String) -> String {
    "<TranslatedText xml:lang=\"en\">\(escaped(text))</TranslatedText>"
  }

  /// Escapes a text for an element or an attribute. XML 1.0 cannot contain most control characters.
  /// U+FFFD replaces these characters.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in HTMLText.escaped(text).unicodeScalars {
      switch scalar {
      // An XML parser would change a line break or a tab in an attribute to a blank. Therefore the
      // function writes the number of the character.
      case "\n", "\r", "\t": result += "&#\(scalar.value);".unicodeScalars
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
