module oldergo

go 1.19
