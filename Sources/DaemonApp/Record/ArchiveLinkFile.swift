import API
import FileSystem
import Glibc

/// Reads the state of the program that sends the record to the archive of a study.
///
/// If the file exists and cannot be read, the home still has a link. Then the daemon keeps the
/// events, because it cannot know which events the archive has.
///
/// - Returns: nil if there is no such file.
func archiveLink(_ path: String) -> ArchiveLink? {
  do throws(FileReadError) {
    return ArchiveLink(statusFile: try readFile(atPath: path, limit: 65_536))
  } catch .system(let error) where [ENOENT, ENOTDIR].contains(error.code) {
    return nil
  } catch {
    return .unreadable
  }
}
