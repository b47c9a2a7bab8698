// Package nomap has neither map nor lock any more; its comments are still
// looked at.
package nomap

func staleBad() int {
	return 0 //mapguard:ignore a statistic // want `directive: .*suppresses nothing`
}

func plainOk() int { return 1 }
