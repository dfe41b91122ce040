//! Launches: blocks begin, their threads return, the grid ends.

use super::state::{Block, Geometry, Grid, Lane, index_in};
use super::{barrier, warp};
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::memory::spaces::Space;
use crate::memory::stacks::MOST_THREADS;
use crate::outcome::Outcome;
use crate::outcome::{Fault, FaultKind, Location, Res};
use crate::races::clock::MOST_ACTORS;
use crate::races::{Actor, Mode};
use crate::shims::gpu::symbols;
use crate::shims::state::Interp;
use crate::threads::{Awaited, Progress, Role, State, Thread};
use crate::value::{Pointer, Scalar, Value};
use ir::FuncId;
use std::collections::BTreeMap;

/// Threads of grids that run at a time.
pub const MOST_RESIDENT: usize = 4096;
/// Alignment of a block's shared variables.
const SHARED_ALIGN: u64 = 128;

/// Lanes of a warp of a kernel: 64 of a wavefront unless its target says otherwise, 32 of NVIDIA's.
fn warp_of(function: &ir::Function) -> u32 {
    let features = match function.attrs.get("target-features") {
        Some(ir::AttrValue::Str(Some(features))) => features.as_str(),
        _ => "",
    };
    if features.contains("+wavefrontsize64") || (is_amd(function) && !features.contains("+wavefrontsize32")) {
        64
    } else {
        32
    }
}

fn is_amd(function: &ir::Function) -> bool {
    function.attrs.has("amdgpu-flat-work-group-size") || function.attrs.0.iter().any(|a| a.name.starts_with("amdgpu-"))
}

impl<M: Machine> Interp<'_, M> {
    /// Launches a kernel; its number. The caller has turned threads on.
    pub(super) fn launch(
        &mut self,
        kernel: FuncId,
        args: Vec<Vec<Scalar>>,
        geometry: Geometry,
        at: Option<Location>,
    ) -> Res<usize> {
        let function = &self.program.module.functions[kernel];
        if self.program.code(kernel).ops.is_empty() {
            return Err(Fault::unsupported(format!("a launch of {}, which has no body", function.name)));
        }
        let all = geometry.blocks().saturating_mul(u64::from(geometry.threads()));
        if all >= MOST_ACTORS as u64 / 2 {
            return Err(Fault::resource(format!("a grid of {all} threads; the most are {}", MOST_ACTORS / 2)));
        }
        self.own_spaces();
        let warp = warp_of(function);
        let known = self.memory.races().map(|races| races.grid()).unwrap_or_default();
        let gpu = &mut self.runtime.gpu;
        let number = gpu.grids.len();
        gpu.grids.push(Some(Grid {
            kernel,
            args,
            geometry,
            next: 0,
            blocks: BTreeMap::new(),
            host: self.threads.current,
            at,
            known,
            actors: Vec::new(),
            warp,
            packet: None,
            implicit: None,
        }));
        self.begin_blocks(number)?;
        Ok(number)
    }

    /// Tells the memory of host and device apart from now on.
    pub(super) fn own_spaces(&mut self) {
        let program = self.program;
        let spaces = symbols::spaces(&program.module);
        self.memory.start_spaces(|kind| match kind {
            AllocKind::Global(id) => spaces[id],
            _ => Space::Everybody,
        });
    }

    /// Begins as many blocks as there is room for.
    fn begin_blocks(&mut self, number: usize) -> Res {
        loop {
            let resident = self.runtime.gpu.resident;
            let grid = self.runtime.gpu.grid(number)?;
            let threads = grid.geometry.threads() as usize;
            if grid.next >= grid.geometry.blocks() || (resident > 0 && resident + threads > MOST_RESIDENT) {
                return Ok(());
            }
            let block = grid.next;
            grid.next += 1;
            self.begin_block(number, block)?;
        }
    }

    fn begin_block(&mut self, number: usize, block: u64) -> Res {
        let serial = self.runtime.gpu.blocks;
        self.runtime.gpu.blocks += 1;
        let grid = self.runtime.gpu.grid(number)?;
        let (geometry, kernel, at) = (grid.geometry, grid.kernel, grid.at);
        let (known, args) = (grid.known.clone(), grid.args.clone());
        let index = geometry.block_index(block);
        let function = self.program.functions[kernel];
        let mut threads = Vec::new();
        for lane in 0..geometry.threads() {
            let thread = match self.runtime.gpu.pool.pop() {
                Some(thread) => thread,
                None if self.threads.all.len() >= MOST_THREADS => {
                    return Err(Fault::resource("more threads than an execution can have"));
                }
                None => self.threads.add(Thread::new(Role::Lane, at)),
            };
            let values =
                args.iter().map(|leaves| Value { leaves: leaves.iter().map(|s| (*s, M::Shadow::default())).collect() });
            let state = &mut self.threads.all[thread];
            (state.start, state.ending) = (Some((function, values.collect())), false);
            self.threads.set_state(thread, State::Ready);
            let own = index_in(geometry.block, u64::from(lane));
            let gpu = &mut self.runtime.gpu;
            if gpu.lanes.len() <= thread {
                gpu.lanes.resize(thread + 1, None);
            }
            gpu.lanes[thread] = Some(Lane { grid: number, block, number: lane, index: own });
            gpu.resident += 1;
            if let Some(races) = self.memory.races() {
                let actor = races.create_lane(thread, known.clone(), Actor::Lane(index, own), at);
                self.runtime.gpu.grid(number)?.actors.push(actor);
            }
            if let Some(spaces) = self.memory.spaces() {
                spaces.belongs(thread, Some(serial));
            }
            threads.push(Some(thread));
        }
        let alive = threads.len();
        let block_state = Block { index, serial, threads, alive, ..Block::default() };
        self.runtime.gpu.grid(number)?.blocks.insert(block, block_state);
        Ok(())
    }

    /// The running block's copy of a shared variable (an address in it), made when first asked for.
    pub(crate) fn shared_copy(&mut self, variable: Pointer, base: Pointer, size: u64) -> Res<Pointer> {
        let thread = self.threads.current;
        let Some(lane) = self.runtime.gpu.lane(thread) else { return Ok(variable) };
        let dynamic = self.runtime.gpu.grid(lane.grid)?.geometry.shared;
        let block = self.runtime.gpu.block(lane)?;
        let copy = match block.shared.get(&variable.prov) {
            Some(copy) => *copy,
            None => {
                let serial = block.serial;
                // An array without a size is as large as the launch says.
                let size = if size == 0 { dynamic } else { size };
                // It has been there since the block began, whoever comes first.
                let made = |m: &mut crate::memory::Memory<M::Shadow>| {
                    m.allocate(size, SHARED_ALIGN, AllocKind::Shared(serial), None)
                };
                let copy = self.memory.accessed_as(Mode::Silent, made)?;
                self.runtime.gpu.block(lane)?.shared.insert(variable.prov, copy);
                copy
            }
        };
        Ok(copy.offset(variable.addr.wrapping_sub(base.addr) as i64))
    }

    /// A thread of a grid whose kernel has returned.
    pub(crate) fn lane_returned(&mut self) -> Res {
        let thread = self.threads.current;
        let lane = super::me(self)?;
        let block = self.runtime.gpu.block(lane)?;
        block.threads[lane.number as usize] = None;
        block.alive -= 1;
        let alive = block.alive;
        barrier::returned(self, lane)?;
        warp::returned(self, lane)?;
        self.threads.set_state(thread, State::Idle);
        let gpu = &mut self.runtime.gpu;
        gpu.resident -= 1;
        gpu.pool.push(thread);
        gpu.lanes[thread] = None;
        if let Some(spaces) = self.memory.spaces() {
            spaces.belongs(thread, None);
        }
        if alive == 0 {
            self.end_block(lane)?;
        }
        self.give_way()
    }

    fn end_block(&mut self, lane: Lane) -> Res {
        let Some(block) = self.runtime.gpu.grid(lane.grid)?.blocks.remove(&lane.block) else { return Ok(()) };
        for copy in block.shared.values() {
            self.memory.retire(*copy);
        }
        self.begin_blocks(lane.grid)?;
        let grid = self.runtime.gpu.grid(lane.grid)?;
        if grid.blocks.is_empty() && grid.next >= grid.geometry.blocks() {
            let host = grid.host;
            self.threads.set_state(host, State::Ready);
        }
        Ok(())
    }

    /// Waits for the end of a grid, in a call that is executed again.
    pub(super) fn await_grid(&mut self, number: usize) -> Res {
        let grid = self.runtime.gpu.grid(number)?;
        if !(grid.blocks.is_empty() && grid.next >= grid.geometry.blocks()) {
            *self.progress() = Some(Progress::Grid(number));
            return Err(self.wait(Awaited::Grid, "the end of a grid", None));
        }
        *self.progress() = None;
        self.end_grid(number)
    }

    fn end_grid(&mut self, number: usize) -> Res {
        let Some(grid) = self.runtime.gpu.grids[number].take() else { return Ok(()) };
        if let Some(races) = self.memory.races() {
            races.end_grid(&grid.actors);
        }
        Ok(())
    }

    /// Executes one kernel as the whole program: no host but this call. The outcome is [`Outcome::Finished`] with 0
    /// when all threads have returned.
    pub fn run_kernel(&mut self, kernel: FuncId, args: &[Value<()>], geometry: Geometry) -> Outcome {
        let args = args.iter().map(|value| value.leaves.iter().map(|(scalar, ())| *scalar).collect()).collect();
        match self.kernel_inner(kernel, args, geometry) {
            Ok(()) => Outcome::Finished(0),
            Err(fault) => Outcome::Stopped(self.stop(*fault)),
        }
    }

    fn kernel_inner(&mut self, kernel: FuncId, args: Vec<Vec<Scalar>>, geometry: Geometry) -> Res {
        if let Err(fault) = self.go_parallel()
            && fault.kind != FaultKind::Switch
        {
            return Err(fault);
        }
        let number = self.launch(kernel, args, geometry, None)?;
        let host = self.threads.current;
        self.threads
            .set_state(host, State::Waiting { on: Awaited::Grid, what: "the end of a grid".to_owned(), until: None });
        self.give_way()?;
        self.run_threads(host, 0)?;
        self.end_grid(number)
    }
}
