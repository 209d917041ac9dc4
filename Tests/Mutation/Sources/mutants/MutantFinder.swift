import SwiftSyntax

/// Finds all places in a file at which a mutant can change the code.
///
/// No edit adds or removes a line. Therefore, each line has the same number before and after the
/// edits.
final class MutantFinder: SyntaxVisitor {
  private(set) var mutants: [Mutant] = []
  private let file: String
  private let lines: SourceLocationConverter

  init(file: String, tree: SourceFileSyntax) {
    self.file = file
    lines = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  // The finder skips code that does not run, and code that must be a constant.
  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  // In a pattern of `case`, no computation is allowed.
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    // The compiler knows that `while true` never ends. If a mutant replaced `true`, the compiler
    // would require a `return` after the loop.
    if case .expression(let condition) = node.condition,
      !condition.is(BooleanLiteralExprSyntax.self)
    {
      add(.condition, condition, wrap(condition, "mutantNegates(§, ", ")"))
    }
    return .visitChildren
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return .visitChildren
    }
    let isWholeCondition = node.parent?.is(ConditionElementSyntax.self) ?? false
    switch symbol {
    case "&&": add(.operand, node, wrap(node.rightOperand, "(mutantIsOn(§) || (", "))"))
    case "||": add(.operand, node, wrap(node.rightOperand, "(!mutantIsOn(§) && (", "))"))
    // The negation of the whole condition is already a mutant. This change would have the same
    // effect.
    case _ where isWholeCondition && ["==", "!="].contains(symbol): break
    case "<", ">": if !isSortOrder(node) { exchange(.boundary, node, symbol) }
    case "<=", ">=", "==", "!=": exchange(.boundary, node, symbol)
    case "+", "-": exchange(.arithmetic, node, symbol)
    default: break
    }
    return .visitChildren
  }

  /// Returns whether a comparison is the order of a sort, for example `{ $0.id < $1.id }`.
  ///
  /// The order of a sort must be strict. If the sorted values are different, `<=` has the same result.
  private func isSortOrder(_ node: InfixOperatorExprSyntax) -> Bool {
    let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
    func swapped(_ text: String) -> String {
      text.replacing("$0", with: "§").replacing("$1", with: "$0").replacing("§", with: "$1")
    }
    return left != right && left.contains("$") && swapped(left) == right
  }

  private static let exchanged = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+",
  ]

  private func exchange(_ kind: Mutant.Kind, _ node: InfixOperatorExprSyntax, _ symbol: String) {
    let whole = node.trimmedDescription
    guard let other = Self.exchanged[symbol], !whole.contains("\n") else { return }
    // Swift can add texts and arrays, but cannot subtract them.
    if kind == .arithmetic, whole.contains("\"") || whole.contains("[") { return }
    let left = node.leftOperand.trimmedDescription
    let right = node.rightOperand.trimmedDescription
    replace(kind, node, "(mutantIsOn(§) ? (\(left) \(other) \(right)) : (\(whole)))")
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard case .expr(let expression) = node.item, mayBeRemoved(node),
      hasEffect(expression), node.trimmedDescription.count(where: \.isNewline) <= 5
    else { return .visitChildren }
    add(.statement, expression, wrap(expression, "if !mutantIsOn(§) { ", " }"))
    return .visitChildren
  }

  /// Returns whether the code around a statement does not use the value of the statement.
  private func mayBeRemoved(_ node: CodeBlockItemSyntax) -> Bool {
    guard let list = node.parent?.as(CodeBlockItemListSyntax.self), let body = list.parent else {
      return false
    }
    // A statement of an initializer may set a property, and an initializer must set all properties.
    if body.parent?.is(InitializerDeclSyntax.self) ?? false { return false }
    if list.count > 1 { return true }
    // If a closure or an accessor contains only one statement, the statement may be its return
    // value.
    guard let block = body.as(CodeBlockSyntax.self), let owner = block.parent else { return false }
    if let function = owner.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause == nil
    }
    return owner.is(ForStmtSyntax.self) || owner.is(WhileStmtSyntax.self)
      || owner.is(DeferStmtSyntax.self)
  }

  /// Returns whether a statement is a call or an assignment.
  private func hasEffect(_ expression: ExprSyntax) -> Bool {
    if let inner = expression.as(TryExprSyntax.self) { return hasEffect(inner.expression) }
    if let inner = expression.as(AwaitExprSyntax.self) { return hasEffect(inner.expression) }
    if let infix = expression.as(InfixOperatorExprSyntax.self) {
      return infix.operator.is(AssignmentExprSyntax.self)
        || ["+=", "-="].contains(infix.operator.trimmedDescription)
    }
    guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
    let name = call.calledExpression.trimmedDescription
    // Memory that is reserved early makes a program faster, but does not change its results.
    return !["precondition", "assert", "fatalError", "preconditionFailure"].contains(name)
      && !name.hasSuffix(".init") && !name.hasSuffix("reserveCapacity")
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard let value = Int(node.literal.text.filter { $0 != "_" }) else { return .visitChildren }
    replace(.constant, node, "(mutantIsOn(§) ? \(value + 1) : \(node.literal.text))")
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if node.parent?.is(ConditionElementSyntax.self) ?? false { return .visitChildren }
    // This argument changes the speed of a program, but not its results.
    if node.parent?.as(LabeledExprSyntax.self)?.label?.text == "keepingCapacity" {
      return .visitChildren
    }
    let other = node.literal.text == "true" ? "false" : "true"
    replace(.constant, node, "(mutantIsOn(§) ? \(other) : \(node.literal.text))")
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let called = node.calledExpression.trimmedDescription
    let whole = node.trimmedDescription
    if let other = ["min": "max", "max": "min"][called], !whole.contains("\n") {
      let arguments = whole.dropFirst(called.count)
      replace(.arithmetic, node, "(mutantIsOn(§) ? \(other)\(arguments) : \(whole))")
    }
    // For `min` and `max`, the order of the arguments has no effect.
    if ["min", "max"].contains(called) { return .visitChildren }
    for (first, second) in zip(node.arguments, node.arguments.dropFirst()) {
      let (one, two) = (first.expression, second.expression)
      guard isName(one), isName(two), one.trimmedDescription != two.trimmedDescription,
        lastWord(one.trimmedDescription) == lastWord(two.trimmedDescription)
      else { continue }
      let edits = [(one, two), (two, one)].flatMap { original, other in
        edit(
          original,
          "(mutantIsOn(§) ? \(other.trimmedDescription) : \(original.trimmedDescription))")
      }
      add(.arguments, node, edits)
    }
    return .visitChildren
  }

  /// Returns the last word of a name, for example `seconds` for `lateWindowSeconds`.
  ///
  /// If the names of two arguments end with the same word, the arguments usually have the same
  /// type.
  private func lastWord(_ name: String) -> String {
    let start = name.lastIndex { $0.isUppercase || $0 == "." } ?? name.startIndex
    return name[start...].lowercased().filter { $0 != "." }
  }

  /// Returns whether an expression is a name, or a property of a named value.
  private func isName(_ expression: ExprSyntax) -> Bool {
    if expression.is(DeclReferenceExprSyntax.self) { return true }
    guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base else {
      return false
    }
    return isName(base)
  }

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.trimmedDescription
    guard isFieldName(text), namesField(node) else { return .visitChildren }
    replace(.field, node, "(mutantIsOn(§) ? \"x_\(text.dropFirst()) : \(text))")
    return .visitChildren
  }

  private func isFieldName(_ text: String) -> Bool {
    let name = text.dropFirst().dropLast()
    return !name.isEmpty && name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
  }

  /// Returns whether a text is a key. The key can be in a dictionary, in a subscript or in a pair.
  private func namesField(_ node: StringLiteralExprSyntax) -> Bool {
    guard let parent = node.parent else { return false }
    if let element = parent.as(DictionaryElementSyntax.self) {
      return element.key.id == node.id
    }
    guard let element = parent.as(LabeledExprSyntax.self), element.label == nil,
      let list = element.parent?.as(LabeledExprListSyntax.self), list.first?.id == element.id
    else { return false }
    return list.parent?.is(SubscriptCallExprSyntax.self) ?? false
      || list.parent?.is(TupleExprSyntax.self) ?? false && list.count == 2
  }

  // MARK: Edits

  private func wrap(_ node: some SyntaxProtocol, _ before: String, _ after: String) -> [Edit] {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    let end = node.endPositionBeforeTrailingTrivia.utf8Offset
    return [Edit(start: start, end: start, text: before), Edit(start: end, end: end, text: after)]
  }

  private func edit(_ node: some SyntaxProtocol, _ text: String) -> [Edit] {
    [
      Edit(
        start: node.positionAfterSkippingLeadingTrivia.utf8Offset,
        end: node.endPositionBeforeTrailingTrivia.utf8Offset, text: text)
    ]
  }

  private func replace(_ kind: Mutant.Kind, _ node: some SyntaxProtocol, _ text: String) {
    add(kind, node, edit(node, text))
  }

  private func add(_ kind: Mutant.Kind, _ node: some SyntaxProtocol, _ edits: [Edit]) {
    let code = node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    mutants.append(
      Mutant(
        kind: kind, file: file,
        line: lines.location(for: node.positionAfterSkippingLeadingTrivia).line,
        code: String(code.prefix(80)), edits: edits))
  }
}
