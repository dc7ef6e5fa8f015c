package usage

import "strings"

// otherLanguage is the language of a file whose extension is not in the table (F39).
const otherLanguage = "Other"

// languageOf returns the language of a file extension, with or without its dot and in any
// case. Extensions that several languages share have the most common one.
func languageOf(extension string) string {
	if name, ok := languages[strings.ToLower(strings.TrimPrefix(extension, "."))]; ok {
		return name
	}
	return otherLanguage
}

// languages is the fixed extension table of F39; nothing changes it. A change rewrites
// the answers of days that are built again.
var languages = map[string]string{
	"adoc": "AsciiDoc",
	"bash": "Shell", "sh": "Shell", "zsh": "Shell", "fish": "Shell",
	"bat": "Batch", "cmd": "Batch",
	"c": "C", "h": "C",
	"cc": "C++", "cpp": "C++", "cxx": "C++", "hh": "C++", "hpp": "C++", "hxx": "C++",
	"clj": "Clojure", "cljs": "Clojure", "cljc": "Clojure", "edn": "Clojure",
	"cs": "C#", "csx": "C#",
	"css": "CSS", "less": "Less", "sass": "Sass", "scss": "SCSS",
	"cu": "CUDA", "cuh": "CUDA",
	"dart":       "Dart",
	"dockerfile": "Dockerfile",
	"el":         "Emacs Lisp",
	"erl":        "Erlang", "hrl": "Erlang",
	"ex": "Elixir", "exs": "Elixir", "heex": "Elixir",
	"f": "Fortran", "f90": "Fortran", "f95": "Fortran",
	"fs": "F#", "fsi": "F#", "fsx": "F#",
	"go":  "Go",
	"gql": "GraphQL", "graphql": "GraphQL",
	"gradle": "Groovy", "groovy": "Groovy",
	"hcl": "HCL", "tf": "HCL", "tfvars": "HCL",
	"hs": "Haskell", "lhs": "Haskell",
	"htm": "HTML", "html": "HTML", "xhtml": "HTML",
	"ini": "INI", "toml": "TOML", "yaml": "YAML", "yml": "YAML",
	"ipynb": "Jupyter Notebook",
	"java":  "Java",
	"jl":    "Julia",
	"js":    "JavaScript", "cjs": "JavaScript", "jsx": "JavaScript", "mjs": "JavaScript",
	"json": "JSON", "json5": "JSON", "jsonc": "JSON", "jsonl": "JSON",
	"kt": "Kotlin", "kts": "Kotlin",
	"lua": "Lua",
	"m":   "Objective-C", "mm": "Objective-C",
	"md": "Markdown", "markdown": "Markdown", "mdx": "MDX",
	"ml": "OCaml", "mli": "OCaml",
	"nim": "Nim", "nix": "Nix",
	"pas": "Pascal",
	"php": "PHP",
	"pl":  "Perl", "pm": "Perl",
	"proto": "Protocol Buffer",
	"ps1":   "PowerShell", "psd1": "PowerShell", "psm1": "PowerShell",
	"py": "Python", "pyi": "Python", "pyw": "Python", "pyx": "Cython",
	"r": "R", "rmd": "R",
	"rb": "Ruby", "erb": "Ruby", "gemspec": "Ruby", "rake": "Ruby",
	"rego":  "Rego",
	"rs":    "Rust",
	"rst":   "reStructuredText",
	"scala": "Scala", "sbt": "Scala", "sc": "Scala",
	"sol":    "Solidity",
	"sql":    "SQL",
	"svelte": "Svelte", "vue": "Vue",
	"swift": "Swift",
	"tex":   "TeX",
	"ts":    "TypeScript", "cts": "TypeScript", "mts": "TypeScript", "tsx": "TypeScript",
	"v": "Verilog", "sv": "SystemVerilog", "vhd": "VHDL", "vhdl": "VHDL",
	"vb":  "Visual Basic",
	"xml": "XML", "xsd": "XML", "xsl": "XML", "svg": "SVG",
	"zig": "Zig",
}
