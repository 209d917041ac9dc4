import Glibc

/// A CSV file as a program reads it. Each row maps the name of a column to the cell in this column.
struct Table {
  var header: [String]
  var rows: [[String: String]]

  init(_ path: String) { self.init(bytes: readFile(path)) }

  init(bytes: [UInt8]) {
    var lines: [[String]] = [[]]
    var (cell, isQuoted, index) = ([UInt8](), false, 0)
    func closeCell() {
      lines[lines.count - 1].append(String(decoding: cell, as: UTF8.self))
      cell = []
    }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && index < bytes.count && bytes[index] == byte:
        cell.append(byte)
        index += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: closeCell()
      case UInt8(ascii: "\n") where !isQuoted:
        closeCell()
        lines.append([])
      default: cell.append(byte)
      }
    }
    header = lines[0]
    let names = header
    rows = lines.dropFirst().dropLast().map { line in
      Dictionary(uniqueKeysWithValues: zip(names, line))
    }
  }
}

/// Runs a command in a shell, and returns its exit status and its output.
func run(_ command: String) -> (status: Int32, output: String) {
  guard let pipe = popen(command + " 2>&1", "r") else { return (-1, "") }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
    bytes += buffer[..<count]
  }
  return (pclose(pipe), String(decoding: bytes, as: UTF8.self))
}

/// The directory of the fixtures for the tests of the logbook.
let fixtures =
  #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
  + "/Fixtures/logbook"
