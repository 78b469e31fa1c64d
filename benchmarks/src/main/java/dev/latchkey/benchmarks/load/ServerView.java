package dev.latchkey.benchmarks.load;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Looks into a service's process: its threads and its heap. */
final class ServerView implements AutoCloseable {

    private final JMXConnector connector;
    private final ThreadMXBean threads;
    private final MemoryMXBean memory;

    private ServerView(JMXConnector connector, ThreadMXBean threads, MemoryMXBean memory) {
        this.connector = connector;
        this.threads = threads;
        this.memory = memory;
    }

    @SuppressWarnings("BanJNDI") // The address is that of a process which we started ourselves.
    static ServerView of(ServiceProcess service) {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(service.pid()));
            JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
            machine.detach();
            JMXConnector connector = JMXConnectorFactory.connect(address);
            MBeanServerConnection server = connector.getMBeanServerConnection();
            return new ServerView(
                    connector,
                    ManagementFactory.newPlatformMXBeanProxy(
                            server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class),
                    ManagementFactory.newPlatformMXBeanProxy(
                            server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class));
        } catch (IOException | AttachNotSupportedException e) {
            throw new IllegalStateException("The service cannot be looked into", e);
        }
    }

    /** Most threads since the last call. */
    int peakThreads() {
        int peak = threads.getPeakThreadCount();
        threads.resetPeakThreadCount();
        return peak;
    }

    /** The heap in use after a full collection, in bytes. */
    long liveBytes() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** Looks at all threads ten times a second until it is closed, and counts those request threads that were in a hash. */
    Watch watch() {
        return new Watch(this);
    }

    private boolean anyRequestThreadHashes() {
        Predicate<ThreadInfo> request =
                thread -> thread != null && thread.getThreadName().startsWith("http-nio");
        return Arrays.stream(threads.dumpAllThreads(false, false))
                .filter(request)
                .flatMap(thread -> Arrays.stream(thread.getStackTrace()))
                .anyMatch(frame -> frame.getClassName().endsWith(".BCrypt"));
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Thread dumps, taken while something else goes on. */
    static final class Watch implements AutoCloseable {

        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        private final Future<?> looking;
        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicInteger hashing = new AtomicInteger();

        private Watch(ServerView view) {
            looking = timer.scheduleWithFixedDelay(() -> look(view), 100, 100, TimeUnit.MILLISECONDS);
        }

        private void look(ServerView view) {
            if (view.anyRequestThreadHashes()) {
                hashing.incrementAndGet();
            }
            looks.incrementAndGet();
        }

        int looks() {
            return looks.get();
        }

        /** In how many dumps a request thread computed a hash. */
        int hashing() {
            return hashing.get();
        }

        @Override
        public void close() {
            looking.cancel(true);
            timer.shutdownNow();
        }
    }
}
