package dev.latchkey.benchmarks.load.process;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Looks into a service's process: its threads and its heap. */
public final class ServerView implements AutoCloseable {

    private final JMXConnector connector;
    private final ThreadMXBean threads;
    private final MemoryMXBean memory;

    private ServerView(JMXConnector connector, ThreadMXBean threads, MemoryMXBean memory) {
        this.connector = connector;
        this.threads = threads;
        this.memory = memory;
    }

    @SuppressWarnings("BanJNDI") // The address is that of a process which we started ourselves.
    public static ServerView of(ServiceProcess service) {
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
    public int peakThreads() {
        int peak = threads.getPeakThreadCount();
        threads.resetPeakThreadCount();
        return peak;
    }

    /** The heap in use after a full collection, in bytes. */
    public long liveBytes() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** All that the threads have allocated since they began, those that answer our own questions left out. */
    public long allocatedBytes() {
        long[] ids = threads.getAllThreadIds();
        ThreadInfo[] infos = threads.getThreadInfo(ids);
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        return IntStream.range(0, ids.length)
                .filter(i -> infos[i] != null && !infos[i].getThreadName().startsWith("RMI "))
                .mapToLong(i -> Math.max(0, bytes[i]))
                .sum();
    }

    /** Looks at all threads ten times a second until it is closed, and counts the request threads that logins held. */
    public Watch watch() {
        return new Watch(this);
    }

    private int requestThreadsHeldByLogins() {
        return (int) Arrays.stream(threads.dumpAllThreads(false, false))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("http-nio"))
                .map(thread -> Arrays.stream(thread.getStackTrace())
                        .map(StackTraceElement::getClassName)
                        .collect(Collectors.toSet()))
                .filter(ServerView::isHeldByLogin)
                .count();
    }

    /** In a hash, or until somebody else's is done; a lock of a moment is neither. */
    private static boolean isHeldByLogin(Set<String> classes) {
        return classes.stream().anyMatch(name -> name.endsWith(".BCrypt"))
                || (classes.contains(CompletableFuture.class.getName())
                        && classes.stream().anyMatch(name -> name.startsWith("dev.latchkey.auth.guard.")));
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
    public static final class Watch implements AutoCloseable {

        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        private final Future<?> looking;
        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        private Watch(ServerView view) {
            looking = timer.scheduleWithFixedDelay(() -> look(view), 100, 100, TimeUnit.MILLISECONDS);
        }

        private void look(ServerView view) {
            most.accumulateAndGet(view.requestThreadsHeldByLogins(), Math::max);
            looks.incrementAndGet();
        }

        public int looks() {
            return looks.get();
        }

        /** Most request threads that computed or awaited a hash in any dump. */
        public int mostHeld() {
            return most.get();
        }

        @Override
        public void close() {
            looking.cancel(true);
            timer.shutdownNow();
        }
    }
}
