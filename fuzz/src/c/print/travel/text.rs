//! A number as text: written, carried, read.

use super::Ends;
use crate::c::travel::{Carried, Read, Text, Written};

/// Reads a number without an exponent, digit by digit.
const SCANNED: &str = "static double scanned(const char *at) {
  double sign = 1, scale = 1, v = 0;
  if (*at == '-') sign = -1, at++;
  for (; *at >= '0' && *at <= '9'; at++) v = 10 * v + (*at - '0');
  if (*at == '.')
    for (at++; *at >= '0' && *at <= '9'; at++) v = 10 * v + (*at - '0'), scale *= 10;
  return sign * v / scale;
}";

/// The block of a text.
pub(super) fn lines(it: Text, ends: &Ends, before: &mut Vec<String>) -> Vec<String> {
    let Ends { to, a, b, .. } = ends;
    let format = match it.written {
        Written::General if it.single => "%.9g",
        Written::General => "%.17g",
        Written::Scientific if it.single => "%.8e",
        Written::Scientific => "%.16e",
        Written::Fixed => "%.15f",
        Written::Hexadecimal => "%a",
    };
    let by_hand = it.read == Read::ByHand && it.written == Written::Fixed;
    let mut out = vec![match it.single {
        true => format!("float plain = (float)({a}), again;"),
        false => format!("double plain = {a}, again;"),
    }];
    out.push("char text[48];".to_owned());
    out.extend(carried(it, format));
    // A file is scanned where it is.
    let scanned = it.carried == Carried::File && it.read == Read::Scan;
    if !scanned {
        out.push(match it.read {
            Read::ByHand if by_hand => {
                before.push(SCANNED.to_owned());
                "again = scanned(text);".to_owned()
            }
            Read::Scan => format!("if (sscanf(text, \"%{}f\", &again) != 1) abort();", long(it)),
            Read::Atof => "again = atof(text);".to_owned(),
            Read::Convert | Read::ByHand => format!("again = strto{}(text, 0);", if it.single { "f" } else { "d" }),
        });
    }
    out.push(format!("{to} = 0.1 * again * {b} + 0.15 * again;"));
    out
}

fn long(it: Text) -> &'static str {
    if it.single { "" } else { "l" }
}

/// Writes the number and brings the text to `text`.
fn carried(it: Text, format: &str) -> Vec<String> {
    let printed = format!("snprintf(text, sizeof text, \"{format}\", plain);");
    let lines: Vec<String> = match it.carried {
        Carried::Array => vec![printed],
        Carried::Heap => vec![
            printed,
            "char *copy = malloc(strlen(text) + 1);".into(),
            "strcpy(copy, text);".into(),
            "text[0] = 0;".into(),
            "strcat(text, copy);".into(),
            "free(copy);".into(),
        ],
        Carried::Static => vec![
            "static char kept[48];".into(),
            printed,
            "for (int k = 0; k < 48 && (kept[k] = text[k]); k++) text[k] = 0;".into(),
            "strcpy(text, kept);".into(),
        ],
        Carried::File if it.read == Read::Scan => vec![
            "FILE *file = tmpfile();".into(),
            "if (!file) abort();".into(),
            format!("fprintf(file, \"{format}\\n\", plain);"),
            "rewind(file);".into(),
            format!("if (fscanf(file, \"%{}f\", &again) != 1) abort();", long(it)),
            "fclose(file);".into(),
        ],
        Carried::File => vec![
            "FILE *file = tmpfile();".into(),
            "if (!file) abort();".into(),
            format!("fprintf(file, \"{format}\\n\", plain);"),
            "rewind(file);".into(),
            "if (fscanf(file, \"%47s\", text) != 1) abort();".into(),
            "fclose(file);".into(),
        ],
        Carried::Line => vec![
            "FILE *file = tmpfile();".into(),
            "if (!file) abort();".into(),
            printed,
            "fputs(text, file);".into(),
            "rewind(file);".into(),
            "if (!fgets(text, sizeof text, file)) abort();".into(),
            "fclose(file);".into(),
        ],
        Carried::Stream => vec![
            "char *kept = 0;".into(),
            "size_t length = 0;".into(),
            "FILE *stream = open_memstream(&kept, &length);".into(),
            "if (!stream) abort();".into(),
            format!("fprintf(stream, \"{format}\", plain);"),
            "fclose(stream);".into(),
            "strcpy(text, kept);".into(),
            "free(kept);".into(),
        ],
        Carried::Environment => vec![
            printed,
            "setenv(\"ADJ_NUMBER\", text, 1);".into(),
            "char *found = getenv(\"ADJ_NUMBER\");".into(),
            "strcpy(text, found ? found : \"0\");".into(),
        ],
        Carried::Pipe => vec![
            "int pair[2];".into(),
            "if (pipe(pair)) abort();".into(),
            "memset(text, 0, sizeof text);".into(),
            printed,
            "if (write(pair[1], text, sizeof text) < 0 || read(pair[0], text, sizeof text) < 0) abort();".into(),
            "close(pair[0]);".into(),
            "close(pair[1]);".into(),
        ],
    };
    lines
}
