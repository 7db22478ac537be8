"""Arrays for compiled loops: form, copies, prefetch, and inner products with eight running totals in vector code.

A compiler may not reorder a sum of floating-point numbers, so it adds one product at a time. If it is allowed to, it
does so differently on every processor. Here the order is stated: eight totals of every eighth product each, which are
added in pairs at the end, and then the products that are left over. The bits are the same on every machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from learners.base import Array
from learners.compiled import compiled

LANES = 8
RUN = 24  # items that are sorted by insertion; longer lists are merged from such runs
LARGEST = np.finfo(float).max


def _product(context: Any, x: Any, w: Any) -> Any:
    """Generate the code of `product`."""
    signature = types.float64(x, w)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = [make_array(kind)(context, builder, arg) for kind, arg in zip(signature.args, args, strict=True)]
        kinds = [context.get_data_type(kind.dtype) for kind in signature.args]
        real, d = ir.DoubleType(), cgutils.unpack_tuple(builder, arrays[1].shape)[0]
        lanes = ir.VectorType(real, LANES)
        whole = builder.and_(d, ir.Constant(d.type, -LANES))

        def load(array: Any, kind: Any, j: Any, wide: bool) -> Any:
            """Load one number, or eight, as float64."""
            where = builder.gep(array.data, [j])
            if wide:
                where = builder.bitcast(where, ir.VectorType(kind, LANES).as_pointer())
            value = builder.load(where)
            value.align = context.get_abi_sizeof(kind)
            return value if kind == real else builder.fpext(value, lanes if wide else real)

        def add(total: Any, start: Any, stop: Any, step: int, wide: bool) -> None:
            with cgutils.for_range_slice(builder, start, stop, ir.Constant(d.type, step)) as (j, _):
                a, b = (load(array, kind, j, wide) for array, kind in zip(arrays, kinds, strict=True))
                builder.store(builder.fadd(builder.load(total), builder.fmul(a, b)), total)

        totals = cgutils.alloca_once_value(builder, ir.Constant(lanes, [0.0] * LANES))
        add(totals, ir.Constant(d.type, 0), whole, LANES, wide=True)
        found = builder.load(totals)
        parts = [builder.extract_element(found, ir.Constant(ir.IntType(32), i)) for i in range(LANES)]
        while len(parts) > 1:
            parts = [builder.fadd(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        total = cgutils.alloca_once_value(builder, parts[0])
        add(total, whole, d, 1, wide=False)
        return builder.load(total)

    return signature, generate


product: Any = intrinsic(_product)
"""Return Σ_j x_j w_j in compiled code, for arrays x (d,) of float32 or float64 and w (d,) of float64."""


def _prefetch(context: Any, array: Any, i: Any) -> Any:
    """Generate the code of `prefetch`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held, byte, number = make_array(array)(context, builder, args[0]), ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        where = builder.bitcast(builder.gep(held.data, [args[1]]), byte)
        to_read, keep, data = number(0), number(3), number(1)
        builder.call(builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind), [where, to_read, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


prefetch: Any = intrinsic(_prefetch)
"""Have the processor fetch what lies at place i of an array (n,) in compiled code, as it will be read soon."""


@compiled
def copy(source: Array, target: Array) -> None:
    """Copy an array (n,) to another."""
    for i in range(target.shape[0]):
        target[i] = source[i]


@compiled
def finite(numbers: Array) -> bool:
    """Return whether no number (n,) is infinite or NaN."""
    fine = True
    for x in numbers:
        fine &= abs(x) <= LARGEST
    return fine


@compiled
def rank(values: Array, order: Array) -> None:
    """Write the numbers of the m highest values (n,) to `order` (m,), 1 ≤ m ≤ n, the highest first, ties by number.

    >>> order = np.zeros(3, dtype=np.int64)
    >>> rank(np.array([0.5, 0.7, 0.5, 0.7]), order)
    >>> order
    array([1, 3, 0])
    """
    last, held = len(order) - 1, 0
    for k in range(len(values)):
        new = values[k]
        if held <= last:
            held += 1
        elif not new > values[order[last]]:
            continue
        j = held - 1
        while j > 0 and values[order[j - 1]] < new:
            order[j] = order[j - 1]
            j -= 1
        order[j] = k


@compiled
def merge_runs(values: Array, items: Array, room: Array) -> None:
    """Merge runs of RUN items (n,), places in `values`, that are sorted by falling value; of equals the first stays.

    room : (≥ n,), overwritten.
    """
    count, width = items.shape[0], RUN
    while width < count:
        for a in range(0, count, 2 * width):
            middle, end = min(a + width, count), min(a + 2 * width, count)
            if middle == end or not values[items[middle - 1]] < values[items[middle]]:
                continue  # in order already
            for i in range(a, middle):
                room[i] = items[i]
            i, j, k = a, middle, a
            while i < middle:
                if j < end and values[room[i]] < values[items[j]]:
                    items[k] = items[j]
                    j += 1
                else:
                    items[k] = room[i]
                    i += 1
                k += 1
        width *= 2


def writable(values: Any, dtype: Any = None) -> Array:
    """Return an array in the form that compiled loops take, which is copied only if it must be.

    To numba a read-only array, or one that is not contiguous, has another type.
    """
    return np.require(values, dtype=dtype, requirements=["C", "W"])
