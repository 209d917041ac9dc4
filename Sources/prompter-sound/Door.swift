@main struct Door { static func main() {} }
