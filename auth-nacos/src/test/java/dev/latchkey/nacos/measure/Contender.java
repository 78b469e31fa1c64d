package dev.latchkey.nacos.measure;

import dev.latchkey.nacos.live.NacosServer;
import dev.latchkey.nacos.live.NacosServer.Kind;

/** Whose turn it is. */
enum Contender {
    DEFAULT("default plugin", Kind.DEFAULT),
    LATCHKEY("Latchkey", Kind.LATCHKEY);

    private final String title;
    private final Kind kind;

    Contender(String title, Kind kind) {
        this.title = title;
        this.kind = kind;
    }

    /** Not started yet. */
    NacosServer server() {
        NacosServer server = NacosServer.fresh(kind).withAllCompilers();
        return kind == Kind.LATCHKEY ? server.setOwn("trusted.proxies", "none") : server;
    }

    @Override
    public String toString() {
        return title;
    }
}
