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
 * <p>The blocks of one hash are kept for the next one: 19 MiB of new objects for each login keep the collector busy. Each running hash has a pool of
 * its own, so no lock is shared. Idle pools are softly held, so that they give way when memory is short, and are no more than the processors can use
 * at once. A block is zeroed when it is returned, and not a second time when it is taken, as in Bouncy Castle's own pool.
 *
 * <p>The lanes of one hash run one after the other. Parallelism raises an attacker's cost just as well this way, and another core is better used for
 * another login.
 */
final class Argon2 {

    /** Which of the three ways to address memory; only {@link #ID} is written. */
    enum Variant {
        D(Argon2Parameters.ARGON2_d),
        I(Argon2Parameters.ARGON2_i),
        ID(Argon2Parameters.ARGON2_id);

        private final int code;

        Variant(int code) {
            this.code = code;
        }
    }

    /** Version 1.3, the one of RFC 9106. */
    static final int VERSION_13 = Argon2Parameters.ARGON2_VERSION_13;

    /** Version 1.0, the one of old hashes that name no version. */
    static final int VERSION_10 = Argon2Parameters.ARGON2_VERSION_10;

    private static final BlockingQueue<IdlePool> IDLE =
            new LinkedBlockingQueue<>(Runtime.getRuntime().availableProcessors());

    /** The size stands beside the reference: to look it up in the pool would count as a use, and keep the blocks from being let go. */
    private record IdlePool(int memoryKiB, SoftReference<BlockPool> blocks) {}

    /** The blocks of one hash at a time, in the order in which they were taken before. Used by one thread. */
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
     * An idle pool of this size, or a new one. A pool of another size would hold blocks that this hash does not need, or too few; it is left for
     * others, since rows of several costs are checked by turns until they are replaced.
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

    /** Keeps the pool. Where enough are idle already, the one that has been idle longest is left to the collector. */
    private static void keep(IdlePool pool) {
        while (!IDLE.offer(pool)) {
            IDLE.poll();
        }
    }
}
