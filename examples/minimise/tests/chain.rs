//! The chain comes to rest, and hangs as the laws of statics say.

use minimise_example::Chains;

#[test]
fn a_chain_at_rest_is_in_balance() {
    let chains = Chains::new().unwrap();
    let (n, width) = (7, 5.0);
    let line = |i: usize| [width * (i + 1) as f64 / (n + 1) as f64, -0.1];
    let start: Vec<f64> = (0..n).flat_map(line).collect();
    let (points, steps) = chains.at_rest(start, width).expect("it comes to rest");
    assert!(steps > 10, "{steps}");
    for i in 0..n {
        // It hangs below its nails, and alike on both sides.
        let (left, right) = (&points[2 * i..2 * i + 2], &points[2 * (n - 1 - i)..2 * (n - i)]);
        assert!(left[1] < 0.0, "{points:?}");
        assert!((left[0] + right[0] - width).abs() < 1e-7 && (left[1] - right[1]).abs() < 1e-7, "{points:?}");
    }
    // Each nail carries half of the weight: 100 times the stretch of its spring, as far as it goes down.
    let (x, y) = (points[0], points[1]);
    let length = x.hypot(y);
    assert!((100.0 * (length - 1.0) * -y / length - n as f64 / 2.0).abs() < 1e-6, "{points:?}");
}
