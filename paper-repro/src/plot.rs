//! Plots of what was measured, as SVG and PNG: lines over a logarithmic plane, bars in groups, or, where there are
//! many, a row of markers for each (a dot plot: Cleveland & McGill, "Graphical Perception", 1984).
//!
//! Colours are those of Okabe and Ito ("Color universal design", 2008), which the colour-blind tell apart, in an order
//! in which neighbours differ in lightness, and a grey; each line has a marker of its own, so that a print in black and
//! white can be read as well.

use plotters::coord::Shift;
use plotters::coord::ranged1d::SegmentValue;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use std::path::Path;
use std::sync::OnceLock;

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Lines through points, both axes logarithmic.
    Lines(Vec<(String, Vec<(f64, f64)>)>),
    /// For each series a bar in each group; the axis upwards is logarithmic.
    Bars {
        /// Names of the groups.
        groups: Vec<String>,
        /// Names of the series, and a value for each group where there is one.
        series: Vec<(String, Vec<Option<f64>>)>,
    },
    /// For each series a marker in each row; the axis to the right is logarithmic.
    Dots {
        /// Names of the rows, from above.
        rows: Vec<String>,
        /// Names of the series, and a value for each row where there is one.
        series: Vec<(String, Vec<Option<f64>>)>,
    },
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The line above it.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn.
    pub kind: Kind,
}

/// Width and height of the drawing, in points, and how much higher it is for each row of markers; a PNG has three dots
/// to the point.
const SIZE: (u32, u32) = (760, 460);
const ROW: u32 = 12;
const DOTS: u32 = 3;

const COLOURS: [RGBColor; 9] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(240, 228, 66),
    RGBColor(140, 140, 140),
];

/// Where letters are looked for.
const FONTS: [&str; 3] = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
];

/// Reads the font once.
fn letters() -> Result<(), String> {
    static READY: OnceLock<Result<(), String>> = OnceLock::new();
    let read = || {
        let found = FONTS.iter().find_map(|path| std::fs::read(path).ok());
        let font = found.ok_or("no font is there for the letters of a plot (Debian: fonts-dejavu-core)")?;
        // A font lives as long as the program.
        register_font("sans-serif", FontStyle::Normal, Box::leak(font.into_boxed_slice()))
            .map_err(|_| "the font for the letters of a plot cannot be read".to_owned())
    };
    READY.get_or_init(read).clone()
}

impl Plot {
    /// The drawing as SVG.
    pub fn to_svg(&self) -> Result<String, String> {
        letters()?;
        let mut text = String::new();
        self.draw(SVGBackend::with_string(&mut text, self.size()).into_drawing_area(), 1)?;
        Ok(text)
    }

    /// Writes the drawing as PNG.
    pub fn write_png(&self, path: &Path) -> Result<(), String> {
        letters()?;
        let size = (self.size().0 * DOTS, self.size().1 * DOTS);
        self.draw(BitMapBackend::new(path, size).into_drawing_area(), DOTS)
    }

    fn size(&self) -> (u32, u32) {
        match &self.kind {
            Kind::Dots { rows, .. } => (SIZE.0, SIZE.1 + ROW * rows.len() as u32),
            Kind::Lines(_) | Kind::Bars { .. } => SIZE,
        }
    }

    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>, dots: u32) -> Result<(), String> {
        area.fill(&WHITE).map_err(|e| e.to_string())?;
        let drawn = match &self.kind {
            Kind::Lines(series) => self.lines(&area, dots, series),
            Kind::Bars { groups, series } => self.bars(&area, dots, groups, series),
            Kind::Dots { rows, series } => self.dots(&area, dots, rows, series),
        };
        drawn?;
        area.present().map_err(|e| e.to_string())
    }

    fn lines<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        dots: u32,
        series: &[(String, Vec<(f64, f64)>)],
    ) -> Result<(), String> {
        let points = || series.iter().flat_map(|(_, points)| points);
        let (x, y) = (around(points().map(|p| p.0), 1.3), around(points().map(|p| p.1), 2.0));
        let mut chart = framed(area, dots, &self.title)
            .build_cartesian_2d((x.0..x.1).log_scale(), (y.0..y.1).log_scale())
            .map_err(|e| e.to_string())?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(&self.x.label).y_desc(&self.y.label).x_label_formatter(&|v| number(*v));
        mesh.y_label_formatter(&|v| number(*v)).label_style(font(dots, 13)).axis_desc_style(font(dots, 15));
        mesh.light_line_style(WHITE).bold_line_style(BLACK.mix(0.12)).draw().map_err(|e| e.to_string())?;
        let size = 4 * dots as i32;
        for (at, (name, points)) in series.iter().enumerate() {
            let style = COLOURS[at % COLOURS.len()].stroke_width(2 * dots);
            let line = chart.draw_series(LineSeries::new(points.iter().copied(), style)).map_err(|e| e.to_string())?;
            line.label(name).legend(move |at_left| {
                let line = PathElement::new(vec![(0, 0), (6 * size, 0)], style);
                EmptyElement::at(at_left) + line + Polygon::new(outline(at, size, 3 * size), style.filled())
            });
            let markers =
                points.iter().map(|p| EmptyElement::at(*p) + Polygon::new(outline(at, size, 0), style.filled()));
            chart.draw_series(markers).map_err(|e| e.to_string())?;
        }
        let mut legend = chart.configure_series_labels();
        legend.position(SeriesLabelPosition::UpperLeft).legend_area_size(8 * size).margin(4 * dots);
        legend.background_style(WHITE.mix(0.9)).border_style(BLACK.mix(0.4)).label_font(font(dots, 13));
        legend.draw().map_err(|e| e.to_string())
    }

    fn bars<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        dots: u32,
        groups: &[String],
        series: &[(String, Vec<Option<f64>>)],
    ) -> Result<(), String> {
        let values = series.iter().flat_map(|(_, values)| values.iter().copied().flatten());
        let (low, high) = around(values, 1.1);
        let low = step_below(low);
        let count = groups.len();
        // Room for the legend above the bars.
        let high = high * (high / low).powf(0.45);
        let mut chart = framed(area, dots, &self.title)
            .build_cartesian_2d((0..count.max(1) - 1).into_segmented(), (low..high).log_scale())
            .map_err(|e| e.to_string())?
            .set_secondary_coord(0.0..count as f64, (low..high).log_scale());
        let mut mesh = chart.configure_mesh();
        let named = |v: &SegmentValue<usize>| match v {
            SegmentValue::CenterOf(i) | SegmentValue::Exact(i) => groups.get(*i).cloned().unwrap_or_default(),
            SegmentValue::Last => String::new(),
        };
        mesh.disable_x_mesh().x_desc(&self.x.label).y_desc(&self.y.label).x_labels(count).x_label_formatter(&named);
        mesh.y_label_formatter(&|v| number(*v)).label_style(font(dots, 13)).axis_desc_style(font(dots, 15));
        mesh.light_line_style(WHITE).bold_line_style(BLACK.mix(0.12)).draw().map_err(|e| e.to_string())?;
        let width = 0.8 / series.len() as f64;
        for (at, (name, values)) in series.iter().enumerate() {
            let colour = COLOURS[at % COLOURS.len()];
            let bars = values.iter().enumerate().filter_map(|(group, value)| {
                let left = group as f64 + 0.1 + width * at as f64;
                Some(Rectangle::new([(left, low), (left + 0.92 * width, (*value)?)], colour.filled()))
            });
            let drawn = chart.draw_secondary_series(bars).map_err(|e| e.to_string())?;
            let size = 5 * dots as i32;
            drawn
                .label(name)
                .legend(move |(x, y)| Rectangle::new([(x, y - size), (x + 2 * size, y + size)], colour.filled()));
        }
        let mut legend = chart.configure_series_labels();
        legend.position(SeriesLabelPosition::UpperLeft).legend_area_size(14 * dots).margin(4 * dots);
        legend.background_style(WHITE.mix(0.9)).border_style(BLACK.mix(0.4)).label_font(font(dots, 13));
        legend.draw().map_err(|e| e.to_string())
    }
}

impl Plot {
    fn dots<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        dots: u32,
        rows: &[String],
        series: &[(String, Vec<Option<f64>>)],
    ) -> Result<(), String> {
        let (low, high) = around(series.iter().flat_map(|(_, values)| values.iter().copied().flatten()), 1.2);
        let count = rows.len();
        // Room for the legend to the right of the markers.
        let high = high * (high / low).powf(0.2);
        let mut builder = framed(area, dots, &self.title);
        builder.y_label_area_size(130 * dots);
        let mut chart =
            builder.build_cartesian_2d((low..high).log_scale(), 0.0..count as f64).map_err(|e| e.to_string())?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .x_label_formatter(&|v| number(*v))
            .disable_y_mesh()
            .y_labels(0);
        mesh.label_style(font(dots, 13)).axis_desc_style(font(dots, 15));
        mesh.light_line_style(BLACK.mix(0.06)).bold_line_style(BLACK.mix(0.12)).draw().map_err(|e| e.to_string())?;
        let middle = |row: usize| (count - row) as f64 - 0.5;
        for (row, name) in rows.iter().enumerate() {
            let line = vec![(low, middle(row)), (high, middle(row))];
            chart
                .draw_series([PathElement::new(line, BLACK.mix(0.12).stroke_width(dots))])
                .map_err(|e| e.to_string())?;
            let anchor = font(dots, 13).pos(Pos::new(HPos::Right, VPos::Center));
            let (x, y) = chart.backend_coord(&(low, middle(row)));
            area.draw(&Text::new(name.clone(), (x - 6 * dots as i32, y), anchor)).map_err(|e| e.to_string())?;
        }
        let size = 4 * dots as i32;
        for (at, (name, values)) in series.iter().enumerate() {
            let style = COLOURS[at % COLOURS.len()].filled();
            let markers = values.iter().enumerate().filter_map(|(row, value)| {
                Some(EmptyElement::at(((*value)?, middle(row))) + Polygon::new(outline(at, size, 0), style))
            });
            let drawn = chart.draw_series(markers).map_err(|e| e.to_string())?;
            drawn.label(name).legend(move |left| EmptyElement::at(left) + Polygon::new(outline(at, size, size), style));
        }
        let mut legend = chart.configure_series_labels();
        legend.position(SeriesLabelPosition::MiddleRight).legend_area_size(4 * size).margin(4 * dots);
        legend.background_style(WHITE.mix(0.9)).border_style(BLACK.mix(0.4)).label_font(font(dots, 13));
        legend.draw().map_err(|e| e.to_string())
    }
}

fn font(dots: u32, points: u32) -> TextStyle<'static> {
    ("sans-serif", points * dots).into_font().color(&BLACK)
}

/// The frame of a chart: title, margins, room for the labels.
fn framed<'a, 'b, B: DrawingBackend>(
    area: &'a DrawingArea<B, Shift>,
    dots: u32,
    title: &str,
) -> ChartBuilder<'a, 'b, B> {
    let mut builder = ChartBuilder::on(area);
    builder.caption(title, font(dots, 17)).margin(12 * dots);
    builder.x_label_area_size(44 * dots).y_label_area_size(72 * dots);
    builder
}

/// The outline of a series' marker, some way to the right: a disc, a triangle, a square, a diamond.
fn outline(series: usize, size: i32, right: i32) -> Vec<(i32, i32)> {
    let (corners, turn) = [(16, 0.0), (3, 0.25), (4, 0.125), (4, 0.0)][series % 4];
    let corner = |k: i32| {
        let angle = std::f64::consts::TAU * (f64::from(k) / f64::from(corners) - turn);
        let radius = 1.2 * f64::from(size);
        (right + (radius * angle.cos()).round() as i32, (radius * angle.sin()).round() as i32)
    };
    (0..corners).map(corner).collect()
}

/// A range with some room on both sides, for a logarithmic axis.
fn around(values: impl Iterator<Item = f64>, room: f64) -> (f64, f64) {
    let usable = values.filter(|v| v.is_finite() && *v > 0.0);
    let (low, high) = usable.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    if low > high { (0.1, 10.0) } else { (low / room, high * room) }
}

/// The largest of 1, 2 and 5 times powers of ten that is not above the value.
fn step_below(value: f64) -> f64 {
    let power = 10.0_f64.powf(value.log10().floor());
    [5.0, 2.0].into_iter().map(|m| m * power).find(|step| *step <= value).unwrap_or(power)
}

/// A number as a logarithmic axis shows it: 1, 2 and 5 times powers of ten, with no exponent between a thousandth and a
/// hundred thousand.
fn number(value: f64) -> String {
    let mantissa = (value / 10.0_f64.powf((value * 1.000_001).log10().floor())).round();
    if ![1.0, 2.0, 5.0].contains(&mantissa) {
        return String::new();
    }
    match value.abs() {
        v if (1e-3..1e5).contains(&v) => {
            let text = format!("{value:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{value:.0e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(kind: Kind) -> Plot {
        let axis = |label: &str| Axis { label: label.to_owned() };
        Plot { title: "Time against length".to_owned(), x: axis("length"), y: axis("time (s)"), kind }
    }

    #[test]
    fn a_drawing_names_its_axes_and_series() {
        let lines =
            Kind::Lines(vec![("ours".to_owned(), vec![(10.0, 1e-3), (100.0, 1e-2)]), ("ref".to_owned(), Vec::new())]);
        let series = vec![("ours".to_owned(), vec![Some(1.0), None]), ("ref".to_owned(), vec![Some(4.0), Some(100.0)])];
        let bars = Kind::Bars { groups: vec!["ba".to_owned(), "gmm".to_owned()], series: series.clone() };
        let dots = Kind::Dots { rows: vec!["arrays".to_owned(), "reload".to_owned()], series };
        for (kind, more) in [(lines, "ref"), (bars, "gmm"), (dots, "reload")] {
            let svg = plot(kind).to_svg().unwrap();
            for text in ["Time against length", "time (s)", "ours", more] {
                assert!(svg.contains(text), "no `{text}` in {svg}");
            }
        }
    }

    #[test]
    fn a_png_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plot.png");
        plot(Kind::Lines(vec![("ours".to_owned(), vec![(1.0, 1.0)])])).write_png(&path).unwrap();
        assert_eq!(&std::fs::read(&path).unwrap()[1..4], b"PNG");
        assert!(plot(Kind::Lines(Vec::new())).write_png(Path::new("/no/such/folder/plot.png")).is_err());
    }

    #[test]
    fn numbers_of_axes_are_short() {
        let cases = [(0.001, "0.001"), (10.0, "10"), (0.5, "0.5"), (0.7, ""), (1e6, "1e6"), (1e-5, "1e-5")];
        cases.iter().for_each(|(value, text)| assert_eq!(number(*value), *text));
        assert_eq!([0.3, 7.0, 10.0].map(step_below), [0.2, 5.0, 10.0]);
    }
}
