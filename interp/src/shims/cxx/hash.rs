//! Hash tables: `std::unordered_map` and its like (`hashtable_policy.h`, `hash_bytes.h`).
//!
//! The order of iteration depends on the number of buckets and on the hash of strings, so both are those of libstdc++:
//! the bucket counts are its ascending list of primes (read off `_M_next_bkt` of GCC 12's library), the hash is 64-bit
//! MurmurHash2 (Appleby).

use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm" => {
            |i, c| Ok(Value::i64(next_buckets(i, c.ptr(0)?, c.uint(1)?)? as i64))
        }
        "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm" => need_rehash,
        "_ZSt11_Hash_bytesPKvmm" => |i, c| {
            let bytes = i.memory.read_bytes(c.ptr(0)?, c.uint(1)?)?;
            Ok(Value::i64(murmur(&bytes, c.uint(2)?) as i64))
        },
        "_ZSt15_Fnv_hash_bytesPKvmm" => |i, c| {
            const PRIME: u64 = 1_099_511_628_211;
            let bytes = i.memory.read_bytes(c.ptr(0)?, c.uint(1)?)?;
            let hash = bytes.iter().fold(c.uint(2)?, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(PRIME));
            Ok(Value::i64(hash as i64))
        },
        _ => return None,
    })
}

/// A policy is `{ float max_load_factor, size_t next_resize }`.
fn load_factor<M: Machine>(interp: &Interp<'_, M>, policy: Pointer) -> Res<f64> {
    let factor = interp.memory.load(policy, Leaf::Float(ir::FloatKind::Float), 4)?;
    if factor.is_init() {
        return Ok(f64::from(factor.as_f32()));
    }
    Err(Fault::ub(UbKind::Uninitialised, "the load factor of a hash table is uninitialised"))
}

fn set_next_resize<M: Machine>(interp: &mut Interp<'_, M>, policy: Pointer, at: f64) -> Res {
    // A conversion out of range does not occur: the last prime is handled by itself.
    interp.memory.store(policy.offset(8), Leaf::Int(64), Scalar::word(at as u64), 8)
}

/// The least bucket count that is no less than `wanted`; when to grow next is kept in the policy.
fn next_buckets<M: Machine>(interp: &mut Interp<'_, M>, policy: Pointer, wanted: u64) -> Res<u64> {
    if wanted == 0 {
        // An empty table has its single bucket.
        return Ok(1);
    }
    let factor = load_factor(interp, policy)?;
    let at = PRIMES.partition_point(|prime| *prime < wanted);
    let last = PRIMES.len() - 1;
    let buckets = PRIMES[at.min(last)];
    if at >= last {
        interp.memory.store(policy.offset(8), Leaf::Int(64), Scalar::word(u64::MAX), 8)?;
    } else {
        set_next_resize(interp, policy, (buckets as f64 * factor).floor())?;
    }
    Ok(buckets)
}

/// Must a table of `buckets` with `elements` grow for `more` of them? The pair is returned in two registers.
fn need_rehash<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    const LEAST: u64 = 11;
    let policy = call.ptr(0)?;
    let (buckets, elements, more) = (call.uint(1)?, call.uint(2)?, call.uint(3)?);
    let resize_at = interp.memory.load(policy.offset(8), Leaf::Int(64), 8)?;
    if !resize_at.is_init() {
        return Err(Fault::ub(UbKind::Uninitialised, "the size of a hash table is uninitialised"));
    }
    let all = elements.wrapping_add(more);
    let mut grown = None;
    if all > resize_at.lo {
        let factor = load_factor(interp, policy)?;
        let least = all.max(if resize_at.lo == 0 { LEAST } else { 0 }) as f64 / factor;
        if least >= buckets as f64 {
            let wanted = (least.floor() as u64 + 1).max(buckets.wrapping_mul(2));
            grown = Some(next_buckets(interp, policy, wanted)?);
        } else {
            set_next_resize(interp, policy, (buckets as f64 * factor).floor())?;
        }
    }
    let word = |w: u64| (Scalar::word(w), M::Shadow::default());
    let count = grown.unwrap_or(0);
    // `std::pair<bool, size_t>`
    Ok(Value { leaves: [word(u64::from(grown.is_some())), word(count)].into_iter().collect() })
}

/// MurmurHash2 for 64 bits, the tail taken as a little-endian number.
fn murmur(bytes: &[u8], seed: u64) -> u64 {
    const MULTIPLIER: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |word: u64| word ^ word >> 47;
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(MULTIPLIER);
    let chunks = bytes.chunks_exact(8);
    let tail = chunks.remainder();
    for chunk in chunks {
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        hash ^= mix(word.wrapping_mul(MULTIPLIER)).wrapping_mul(MULTIPLIER);
        hash = hash.wrapping_mul(MULTIPLIER);
    }
    if !tail.is_empty() {
        let word = tail.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        hash = (hash ^ word).wrapping_mul(MULTIPLIER);
    }
    hash = mix(hash).wrapping_mul(MULTIPLIER);
    mix(hash)
}

/// The bucket counts of libstdc++, ascending.
const PRIMES: [u64; 304] = [
    2,
    3,
    5,
    7,
    11,
    13,
    17,
    19,
    23,
    29,
    31,
    37,
    41,
    43,
    47,
    53,
    59,
    61,
    67,
    71,
    73,
    79,
    83,
    89,
    97,
    103,
    109,
    113,
    127,
    137,
    139,
    149,
    157,
    167,
    179,
    193,
    199,
    211,
    227,
    241,
    257,
    277,
    293,
    313,
    337,
    359,
    383,
    409,
    439,
    467,
    503,
    541,
    577,
    619,
    661,
    709,
    761,
    823,
    887,
    953,
    1031,
    1109,
    1193,
    1289,
    1381,
    1493,
    1613,
    1741,
    1879,
    2029,
    2179,
    2357,
    2549,
    2753,
    2971,
    3209,
    3469,
    3739,
    4027,
    4349,
    4703,
    5087,
    5503,
    5953,
    6427,
    6949,
    7517,
    8123,
    8783,
    9497,
    10273,
    11113,
    12011,
    12983,
    14033,
    15173,
    16411,
    17749,
    19183,
    20753,
    22447,
    24281,
    26267,
    28411,
    30727,
    33223,
    35933,
    38873,
    42043,
    45481,
    49201,
    53201,
    57557,
    62233,
    67307,
    72817,
    78779,
    85229,
    92203,
    99733,
    107897,
    116731,
    126271,
    136607,
    147793,
    159871,
    172933,
    187091,
    202409,
    218971,
    236897,
    256279,
    277261,
    299951,
    324503,
    351061,
    379787,
    410857,
    444487,
    480881,
    520241,
    562841,
    608903,
    658753,
    712697,
    771049,
    834181,
    902483,
    976369,
    1056323,
    1142821,
    1236397,
    1337629,
    1447153,
    1565659,
    1693859,
    1832561,
    1982627,
    2144977,
    2320627,
    2510653,
    2716249,
    2938679,
    3179303,
    3439651,
    3721303,
    4026031,
    4355707,
    4712381,
    5098259,
    5515729,
    5967347,
    6456007,
    6984629,
    7556579,
    8175383,
    8844859,
    9569143,
    10352717,
    11200489,
    12117689,
    13109983,
    14183539,
    15345007,
    16601593,
    17961079,
    19431899,
    21023161,
    22744717,
    24607243,
    26622317,
    28802401,
    31160981,
    33712729,
    36473443,
    39460231,
    42691603,
    46187573,
    49969847,
    54061849,
    58488943,
    63278561,
    68460391,
    74066549,
    80131819,
    86693767,
    93793069,
    101473717,
    109783337,
    118773397,
    128499677,
    139022417,
    150406843,
    162723577,
    176048909,
    190465427,
    206062531,
    222936881,
    241193053,
    260944219,
    282312799,
    305431229,
    330442829,
    357502601,
    386778277,
    418451333,
    452718089,
    489790921,
    529899637,
    573292817,
    620239453,
    671030513,
    725980837,
    785430967,
    849749479,
    919334987,
    994618837,
    1076067617,
    1164186217,
    1259520799,
    1362662261,
    1474249943,
    1594975441,
    1725587117,
    1866894511,
    2019773507,
    2185171673,
    2364114217,
    2557710269,
    2767159799,
    2993761039,
    3238918481,
    3504151727,
    3791104843,
    4101556399,
    4294967291,
    6442450933,
    8589934583,
    12884901857,
    17179869143,
    25769803693,
    34359738337,
    51539607367,
    68719476731,
    103079215087,
    137438953447,
    206158430123,
    274877906899,
    412316860387,
    549755813881,
    824633720731,
    1099511627689,
    1649267441579,
    2199023255531,
    3298534883309,
    4398046511093,
    6597069766607,
    8796093022151,
    13194139533241,
    17592186044399,
    26388279066581,
    35184372088777,
    52776558133177,
    70368744177643,
    105553116266399,
    140737488355213,
    211106232532861,
    281474976710597,
    562949953421231,
    1125899906842597,
    2251799813685119,
    4503599627370449,
    9007199254740881,
    18014398509481951,
    36028797018963913,
    72057594037927931,
    144115188075855859,
    288230376151711717,
    576460752303423433,
    1152921504606846883,
    2305843009213693951,
    4611686018427387847,
    9223372036854775783,
    18446744073709551557,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Read off the native library: `std::hash<std::string>` with its seed.
    #[test]
    fn hashes_are_libstdcxxs() {
        const SEED: u64 = 0xc70f_6907;
        assert_eq!(murmur(b"", SEED), 6142509188972423790);
        assert_eq!(murmur(b"a", SEED), 4993892634952068459);
        assert_eq!(murmur(b"hello", SEED), 2762169579135187400);
        assert_eq!(murmur(b"12345678", SEED), 10113836418918046885);
        assert_eq!(murmur(b"123456789abcdef", SEED), 11258708842651572843);
        assert_eq!(murmur(b"The quick brown fox", SEED), 7197260021262230501);
    }
}
