// Parts of the browser that the declarations of TypeScript 4.8 do not contain.

interface TrustedTypePolicy {
  createHTML(input: string): object;
}

declare var trustedTypes: undefined | {
  createPolicy(name: string, rules: { createHTML(input: string): string }): TrustedTypePolicy;
};
