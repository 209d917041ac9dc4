import API
import FileSystem
import Glibc

/// Reads the state of the program that sends the record to the archive of a study.
///
/// If the file exists but cannot be read, the function assumes a link. A purge then removes no
/// events, because the daemon cannot know which events are in the archive.
///
/// - Returns: nil if the file does not exist.
func archiveLink(_ path: String) -> ArchiveLink? {
  do throws(FileReadError) {
    return ArchiveLink(statusFile: try readFile(atPath: path, limit: 65_536))
  } catch .system(let error) where [ENOENT, ENOTDIR].contains(error.code) {
    return nil
  } catch {
    return .unreadable
  }
}
