package dev.latchkey.auth.password.hash;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator.Block;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator.BlockPool;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Argon2 (RFC 9106) by Bouncy Castle, within the memory permits.
 *
 * <p>The blocks of one hash are kept for the next hash: 19 MiB of new objects per login would keep the garbage
 * collector busy. Each running hash has its own pool, so taking a block needs no lock. Idle pools are soft references,
 * so the collector may free them. The number of idle pools is limited to the number of processors. A block is zeroed
 * only on return, as in Bouncy Castle's own pool.
 *
 * <p>The lanes of one hash run one after the other. Parallelism raises an attacker's cost in the same way, and another
 * core is better used for another login.
 */
final class Argon2 {

    /** The three ways of addressing memory; new hashes use only {@link #ID}. */
    enum Variant {
        D(Argon2Parameters.ARGON2_d),
        I(Argon2Parameters.ARGON2_i),
        ID(Argon2Parameters.ARGON2_id);

        private final int code;

        Variant(int code) {
            this.code = code;
        }
    }

    /** Version 1.3, defined by RFC 9106. */
    static final int VERSION_13 = Argon2Parameters.ARGON2_VERSION_13;

    /** Version 1.0, for old hashes without a version. */
    static final int VERSION_10 = Argon2Parameters.ARGON2_VERSION_10;

    private static final BlockingQueue<IdlePool> IDLE =
            new LinkedBlockingQueue<>(Runtime.getRuntime().availableProcessors());

    /** The size is outside the pool: reading the size from the pool would count as a use of the soft reference. */
    private record IdlePool(int memoryKiB, SoftReference<BlockPool> blocks) {}

    /** The blocks of one hash, in the order of their return. Used by one thread at a time. */
    private static final class BlocksOfOneHash implements BlockPool {

        private final ArrayDeque<Block> idle = new ArrayDeque<>();

        @Override
        public Block allocate() {
            Block block = idle.poll();
            return block == null ? new Block() : block;
        }

        @Override
        public void deallocate(Block block) {
            idle.add(block.clear());
        }
    }

    private Argon2() {}

    static byte[] hash(
            Variant variant,
            int version,
            int memoryKiB,
            int iterations,
            int parallelism,
            byte[] password,
            byte[] salt,
            int length) {
        BlockPool blocks = borrow(memoryKiB);
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(variant.code)
                .withVersion(version)
                .withMemoryAsKB(memoryKiB)
                .withIterations(iterations)
                .withParallelism(parallelism)
                .withSalt(salt)
                .withBlockPool(blocks)
                .build());
        byte[] hash = new byte[length];
        generator.generateBytes(password, hash);
        keep(new IdlePool(memoryKiB, new SoftReference<>(blocks)));
        return hash;
    }

    /**
     * An idle pool of this size, or a new pool. A pool of another size has too many or too few blocks. Such a pool
     * stays for other hashes, because rows with several costs are checked in turn until their replacement.
     */
    private static BlockPool borrow(int memoryKiB) {
        for (int left = IDLE.size(); left > 0; left--) {
            IdlePool idle = IDLE.poll();
            if (idle == null) {
                break;
            }
            if (idle.memoryKiB != memoryKiB) {
                keep(idle);
                continue;
            }
            BlockPool blocks = idle.blocks.get();
            if (blocks != null) {
                return blocks;
            }
        }
        return new BlocksOfOneHash();
    }

    /** Keeps the pool. If there are enough idle pools, the oldest is left to the garbage collector. */
    private static void keep(IdlePool pool) {
        while (!IDLE.offer(pool)) {
            IDLE.poll();
        }
    }
}
