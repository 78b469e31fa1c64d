package dev.latchkey.auth.redis;

/** The compared ways to share a bucket. */
enum MeasuredSystem {
    PORTIONS("Latchkey") {
        @Override
        MeasuredNode node(int port, MeasuredRule rule) {
            return new PortionedNode(port, rule);
        }
    },
    PLAIN("Bucket4j") {
        @Override
        MeasuredNode node(int port, MeasuredRule rule) {
            return ProxyNode.plain(port, rule);
        }
    },
    BATCHING("Bucket4j, batching") {
        @Override
        MeasuredNode node(int port, MeasuredRule rule) {
            return ProxyNode.batching(port, rule);
        }
    },
    DELAYING("Bucket4j, delaying") {
        @Override
        MeasuredNode node(int port, MeasuredRule rule) {
            return ProxyNode.delaying(port, rule);
        }
    };

    private final String text;

    MeasuredSystem(String text) {
        this.text = text;
    }

    abstract MeasuredNode node(int port, MeasuredRule rule);

    @Override
    public String toString() {
        return text;
    }
}
