package dev.latchkey.benchmarks.jwt;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A key, a content, and a token with a lifetime of hours. */
@State(Scope.Benchmark)
public class TokenState {

    @Param({"HS256", "HS384", "HS512"})
    public TokenLibrary.Algorithm algorithm;

    @Param({"THREE", "SEVEN"})
    public Content content;

    byte[] key;

    /** By Latchkey, for all: the same bytes to MAC and to parse. */
    String token;

    @Setup(Level.Trial)
    public void makeToken() throws Exception {
        key = algorithm.key();
        token = TokenLibrary.Contestant.LATCHKEY.with(algorithm, key, content).create(content);
    }
}
