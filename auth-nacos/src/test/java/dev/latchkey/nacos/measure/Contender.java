package dev.latchkey.nacos.measure;

import dev.latchkey.nacos.live.NacosServer;
import dev.latchkey.nacos.live.NacosServer.Kind;

/** The contenders, by turns. */
enum Contender {
    DEFAULT("default plugin", Kind.DEFAULT),
    LATCHKEY("Latchkey", Kind.LATCHKEY),

    /** The setting of an operator who leaves processors to other work during first logins. */
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
