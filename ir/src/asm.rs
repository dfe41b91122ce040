//! Inline assembly (LangRef, "Inline Assembler Expressions"): its text, its constraints, and what it does if it has no
//! instructions.
//!
//! Assembly without instructions is the compiler barrier of C programs: what it is given stays what it was. An output
//! that is tied to an input is that input; memory that it names keeps its contents.

/// An assembler expression, in the place of a called function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct InlineAsm {
    /// The text.
    pub template: Vec<u8>,
    /// Outputs, inputs and clobbers.
    pub constraints: Vec<u8>,
    /// The words before the text: `sideeffect`, `alignstack`, `inteldialect`, `unwind`.
    pub flags: Vec<String>,
}

/// Something that assembly without instructions does; numbers count the arguments of the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// This part of the result is that argument.
    Result {
        /// Which of the outputs that are returned.
        output: usize,
        /// The argument.
        from: usize,
    },
    /// The argument is stored where another one points.
    Store {
        /// The pointer.
        to: usize,
        /// The value.
        from: usize,
    },
    /// What lies where one argument points is copied to where another one points.
    Copy {
        /// The pointer to the destination.
        to: usize,
        /// The pointer to the source.
        from: usize,
    },
    /// Nothing moves across it.
    Barrier,
}

/// An output operand.
enum Output {
    /// Part of the result, by its number.
    Direct(usize),
    /// Memory, by the argument that points to it.
    Indirect(usize),
}

impl InlineAsm {
    /// Has the text no instructions: nothing but spaces and comments?
    pub fn is_empty(&self) -> bool {
        let text = String::from_utf8_lossy(&self.template);
        let code = |line: &str| {
            let end = ["#", "//"].iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
            !line[..end].trim_matches(|c: char| c.is_whitespace() || c == ';').is_empty()
        };
        !text.lines().any(code)
    }

    /// Does the text ask the processor what it is (`cpuid`), and nothing else? Besides it may keep and restore a
    /// register.
    pub fn asks_processor(&self) -> bool {
        let text = String::from_utf8_lossy(&self.template);
        let mut statements = text.split([';', '\n']).map(str::trim).filter(|s| !s.is_empty()).peekable();
        let keeps = |s: &str| (s.starts_with("xchg") || s.starts_with("mov")) && s.contains("bx");
        statements.peek().is_some() && text.contains("cpuid") && statements.all(|s| s == "cpuid" || keeps(s))
    }

    /// What the assembly does, if it has no instructions; or why that is not known.
    pub fn effects(&self) -> Result<Vec<Effect>, &'static str> {
        if !self.is_empty() {
            return Err("inline assembly with instructions");
        }
        let constraints = String::from_utf8_lossy(&self.constraints);
        let (mut outputs, mut effects) = (Vec::new(), Vec::new());
        let (mut args, mut direct, mut tied) = (0, 0, Vec::new());
        for constraint in constraints.split(',').filter(|c| !c.is_empty()) {
            if let Some(code) = constraint.strip_prefix('=') {
                outputs.push(match code.trim_start_matches(['&', '%']).starts_with('*') {
                    true => Output::Indirect(args),
                    false => Output::Direct(direct),
                });
                args += usize::from(matches!(outputs.last(), Some(Output::Indirect(_))));
                direct += usize::from(matches!(outputs.last(), Some(Output::Direct(_))));
            } else if constraint.starts_with('~') {
                if constraint == "~{memory}" {
                    effects.push(Effect::Barrier);
                }
            } else if constraint.starts_with('!') {
                return Err("inline assembly that jumps");
            } else {
                let code = constraint.trim_start_matches(['&', '%']);
                let (indirect, code) = code.strip_prefix('*').map_or((false, code), |rest| (true, rest));
                if let Ok(output) = code.parse::<usize>() {
                    effects.push(match outputs.get(output) {
                        Some(Output::Direct(output)) if !indirect => {
                            tied.push(*output);
                            Effect::Result { output: *output, from: args }
                        }
                        Some(Output::Indirect(to)) if indirect => Effect::Copy { to: *to, from: args },
                        Some(Output::Indirect(to)) => Effect::Store { to: *to, from: args },
                        _ => return Err("inline assembly with an output tied to memory"),
                    });
                }
                args += 1;
            }
        }
        match (0..direct).all(|output| tied.contains(&output)) {
            true => Ok(effects),
            false => Err("inline assembly without instructions that gives a value of its own"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asm(template: &str, constraints: &str) -> InlineAsm {
        InlineAsm { template: template.into(), constraints: constraints.into(), flags: Vec::new() }
    }

    #[test]
    fn comments_are_no_instructions() {
        for text in ["", "  \n\t", "# keep", "// keep\n# this", ";;"] {
            assert!(asm(text, "").is_empty(), "{text:?}");
        }
        for text in ["nop", "# one\n nop", "nop # one", "; nop"] {
            assert!(!asm(text, "").is_empty(), "{text:?}");
        }
    }

    #[test]
    fn questions_to_the_processor_are_known() {
        let text = "xchg$(q$)\t$(%$)rbx, ${1:q}; cpuid; xchg$(q$)\t$(%$)rbx, ${1:q}";
        assert!(asm(text, "={ax},=&r,={cx},={dx},0,2").asks_processor());
        assert!(asm("cpuid", "").asks_processor());
        for text in ["", "nop", "cpuid; nop", "mov $1, $0; cpuid"] {
            assert!(!asm(text, "").asks_processor(), "{text:?}");
        }
    }

    #[test]
    fn tied_operands_are_moved() {
        let of = |constraints| asm("", constraints).effects();
        assert_eq!(of("=x,0,~{dirflag}"), Ok(vec![Effect::Result { output: 0, from: 0 }]));
        assert_eq!(of("=*r|m,0,~{memory}"), Ok(vec![Effect::Store { to: 0, from: 1 }, Effect::Barrier]));
        assert_eq!(of("=*r|m,*0"), Ok(vec![Effect::Copy { to: 0, from: 1 }]));
        assert_eq!(of("=*m,*m"), Ok(vec![]));
        // One output in a register, one in memory: the argument behind the pointer is the register.
        assert_eq!(of("=r,=*m,0,*m"), Ok(vec![Effect::Result { output: 0, from: 1 }]));
        assert_eq!(
            of("=&r,=r,1,0"),
            Ok(vec![Effect::Result { output: 1, from: 0 }, Effect::Result { output: 0, from: 1 }])
        );
        assert!(of("=r").is_err());
        assert!(asm("nop", "").effects().is_err());
    }
}
