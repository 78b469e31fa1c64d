package dev.latchkey.nacos.measure;

import dev.latchkey.nacos.live.NacosServer;
import dev.latchkey.nacos.live.NacosServer.Kind;

/** Whose turn it is. */
enum Contender {
    DEFAULT("default plugin", Kind.DEFAULT),
    LATCHKEY("Latchkey", Kind.LATCHKEY),

    /** What an operator may choose who wants first logins to leave processors to others. */
    LATCHKEY_HALF("Latchkey, half", Kind.LATCHKEY);

    private final String title;
    private final Kind kind;

    Contender(String title, Kind kind) {
        this.title = title;
        this.kind = kind;
    }

    /** Not started yet. */
    NacosServer server() {
        NacosServer server = NacosServer.fresh(kind).withAllCompilers();
        if (kind == Kind.LATCHKEY) {
            server.setOwn("trusted.proxies", "none");
        }
        if (this == LATCHKEY_HALF) {
            int half = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
            server.setOwn("hashing.at.once", Integer.toString(half));
        }
        return server;
    }

    @Override
    public String toString() {
        return title;
    }
}
